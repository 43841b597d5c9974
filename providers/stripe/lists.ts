import type { Stripe } from 'stripe';
import type { ListedPayment, ProviderEvent } from '../gateway.ts';
import { readPages } from '../pages.ts';
import { ask } from './client.ts';
import { readers } from './events.ts';

export function createStripeLists(stripe: Stripe) {
  return {
    /** One call takes 20 types, as many as there are readers (https://docs.stripe.com/api/events/list, types). */
    async *eventsSince(since: Date, until?: Date): AsyncGenerator<ProviderEvent> {
      const created = { gte: unixTime(since), ...(until && { lte: unixTime(until) }) };
      const filter = { created, types: Object.keys(readers) };
      for await (const event of everyOf((page) => stripe.events.list({ ...filter, ...page }))) {
        yield { eventId: event.id, type: event.type, payload: JSON.stringify(event) };
      }
    },

    async *paymentsSince(since: Date): AsyncGenerator<ListedPayment> {
      const created = { gte: unixTime(since) };
      const intents = everyOf((page) => stripe.paymentIntents.list({ created, ...page }));
      for await (const { id, status, metadata } of intents) {
        if (status === 'succeeded') yield { paymentId: id, metadata };
      }
    },
  };
}

/** The SDK's own paging follows a list that never ends. */
function everyOf<T extends { id: string }>(
  list: (page: Stripe.PaginationParams) => Promise<Stripe.ApiList<T>>,
): AsyncGenerator<T> {
  return readPages('stripe', async (start) => {
    const { data, has_more: hasMore } = await ask(
      list({ limit: 100, ...(start && { starting_after: start }) }),
    );
    return { items: data, next: hasMore ? data.at(-1)?.id : undefined };
  });
}

function unixTime(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
