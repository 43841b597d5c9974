import type Stripe from 'stripe';
import type { StripeContext } from './context.ts';
import { parameterInvalid } from './errors.ts';
import { listPage, type StripeList } from './lists.ts';
import { optionalText, type Params, textList } from './params.ts';

/** https://docs.stripe.com/api/events/list, types */
const MAX_EVENT_TYPES = 20;

/** `GET /v1/events`, newest first, by time, types and success of the delivery. */
export function listEvents(ctx: StripeContext, params: Params): StripeList<Stripe.Event> {
  const after = optionalText(params, 'starting_after');
  const repeated = after && ctx.state.pagesAfter.get(after);
  if (repeated) return repeated;
  const page = findEvents(ctx, params);
  return after ? page : repeatIfEndless(ctx, page);
}

function findEvents(ctx: StripeContext, params: Params): StripeList<Stripe.Event> {
  const one = optionalText(params, 'type');
  const types = one ? [one] : textList(params, 'types');
  if (types.length > MAX_EVENT_TYPES) throw parameterInvalid('types', `At most ${MAX_EVENT_TYPES} types.`);
  const wanted = (type: string) =>
    types.some((t) => t === type || (t.endsWith('*') && type.startsWith(t.slice(0, -1))));
  const success = optionalText(params, 'delivery_success');
  const page = listPage('/v1/events', ctx.state.events, params, (event) => {
    if (types.length > 0 && !wanted(event.type)) return false;
    return success === undefined || ctx.events.isDelivered(event) === (success === 'true');
  });
  return { ...page, data: page.data.map((event) => ctx.events.show(event)) };
}

function repeatIfEndless({ behaviors, state }: StripeContext, page: StripeList<Stripe.Event>) {
  const objects = page.data.map(({ data }) => String(Reflect.get(data.object, 'id')));
  const last = page.data.at(-1);
  if (!last || !behaviors.consume('stripe-endless-events', objects.join(' '))) return page;
  const endless = { ...page, has_more: true };
  state.pagesAfter.set(last.id, endless);
  return endless;
}
