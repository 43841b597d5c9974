import { OUR_APP, type PaymentReport } from '../../core/payment-reports.ts';
import type { EventContext, LiveReport } from '../gateway.ts';
import { readPages } from '../pages.ts';
import { isNotFound, type ProviderError } from '../provider-error.ts';
import type { PaypalClient } from './client.ts';
import {
  factsOfCapture,
  factsOfOrder,
  factsWithDispute,
  metadataOf,
  namedOrder,
  orderOfCapture,
} from './facts.ts';
import {
  type DisputedTransaction,
  type PaypalCapture,
  type PaypalDispute,
  type PaypalEvent,
  type PaypalOrder,
  paypalCapture,
  paypalDispute,
  paypalDisputes,
  paypalEventPage,
  paypalOrder,
} from './resources.ts';

export type PaypalReports = ReturnType<typeof createPaypalReports>;

/** Asks PayPal what became of a payment, found by its order, by a capture or by a dispute. */
export function createPaypalReports(client: PaypalClient) {
  async function report(
    paymentId: string,
    observedAt: number,
    { withDisputes } = { withDisputes: false },
  ): Promise<LiveReport> {
    const order = await findPayment(paymentId);
    if (order) {
      const disputes = withDisputes ? await disputesOf(order) : [];
      return disputes.reduce(
        (found, dispute) => withDispute(found, dispute, observedAt),
        reportOf(order, observedAt),
      );
    }
    // PayPal forgets an order that was not approved within hours. The buyer may still pay ours with another one.
    return { paymentId, metadata: {}, stage: 'closed', facts: [] };
  }

  async function findPayment(paymentId: string): Promise<PaypalOrder | undefined> {
    try {
      const order = await client.ask('get order', ({ orders }) => orders.getOrder({ id: paymentId }));
      return paypalOrder.parse(order);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async function readCapture(captureId: string): Promise<PaypalCapture> {
    const capture = await client.ask('get capture', ({ payments }) =>
      payments.getCapturedPayment({ captureId }),
    );
    return paypalCapture.parse(capture);
  }

  async function paymentOfCapture(captureId: string): Promise<string | undefined> {
    return orderOfCapture(await readCapture(captureId));
  }

  async function reportOfCapture(captureId: string, { now, paymentIdsOf }: EventContext) {
    const capture = await readCapture(captureId);
    const candidates = [orderOfCapture(capture), ...(await paymentIdsOf(namedOrder(capture)))];
    for (const paymentId of candidates.filter((id) => id !== undefined)) {
      const observedAt = await now();
      const order = await findPayment(paymentId);
      const isNamed = orderOfCapture(capture) === paymentId;
      if (!order && isNamed) return reportWithoutOrder(paymentId, capture, observedAt);
      const found = order && reportOf(order, observedAt);
      if (found && (isNamed || hasCapture(found, captureId))) return found;
    }
    return undefined;
  }

  async function findDispute(disputeId: string): Promise<PaypalDispute> {
    const path = `/v1/customer/disputes/${encodeURIComponent(disputeId)}`;
    return paypalDispute.parse(
      await client.ask('get dispute', (api) => api.request('GET', path).callAsText()),
    );
  }

  async function disputesOf({ purchase_units: [unit] }: PaypalOrder): Promise<PaypalDispute[]> {
    const listed = await Promise.all((unit?.payments?.captures ?? []).map(({ id }) => listDisputes(id)));
    return Promise.all(listed.flat().map(findDispute));
  }

  /** The ids of a capture's disputes (https://developer.paypal.com/api/customer-disputes/v1/disputes-list). */
  async function listDisputes(captureId: string): Promise<string[]> {
    const answer = client.ask('list disputes', (api) => {
      const request = api.request('GET', '/v1/customer/disputes');
      request.query({ disputed_transaction_id: captureId, page_size: '50' });
      return request.callAsText();
    });
    try {
      return paypalDisputes.parse(await answer).items.map(({ dispute_id: id }) => id);
    } catch (error) {
      // PayPal refuses an app without the Disputes feature. The rest of the report still counts.
      if ((error as ProviderError).statusCode === 403) return [];
      throw error;
    }
  }

  /** `updatedAt`: when PayPal's answer says that the dispute was updated last. */
  async function reportOfDispute(disputeId: string, context: EventContext) {
    const observedAt = await context.now();
    const dispute = await findDispute(disputeId);
    const payment = await disputedPayment(dispute, context);
    return payment && { report: withDispute(payment, dispute, observedAt), updatedAt: dispute.update_time };
  }

  /**
   * The first payment that is ours. The others may belong to other uses of the account, or not be visible to us. If several are
   * ours, the next check of each further order finds the dispute.
   */
  async function disputedPayment(
    { disputed_transactions: transactions }: PaypalDispute,
    context: EventContext,
  ): Promise<LiveReport | undefined> {
    let other: LiveReport | undefined;
    let notFound: unknown;
    for (const transaction of transactions) {
      try {
        const found = await paymentOfTransaction(transaction, context);
        if (found?.metadata.app === OUR_APP) return found;
        other ??= found;
      } catch (error) {
        if (!isNotFound(error)) throw error;
        notFound = error;
      }
    }
    if (notFound) throw notFound;
    return other;
  }

  /** The seller's transaction is optional in PayPal's document, and so is what we wrote on it. */
  async function paymentOfTransaction(
    { seller_transaction_id: captureId, custom, invoice_number: invoice }: DisputedTransaction,
    context: EventContext,
  ): Promise<LiveReport | undefined> {
    if (captureId) return reportOfCapture(captureId, context);
    const orderId = namedOrder({ custom_id: custom, invoice_id: invoice });
    const [paymentId] = await context.paymentIdsOf(orderId);
    return paymentId ? report(paymentId, await context.now()) : undefined;
  }

  function listEvents(since: Date, until?: Date): AsyncGenerator<PaypalEvent> {
    const end = until && { end_time: until.toISOString() };
    const first: Record<string, string> = { start_time: since.toISOString(), ...end, page_size: '300' };
    return readPages('paypal', async (link) => {
      const query = link ? Object.fromEntries(new URL(link).searchParams) : first;
      const { events, links } = paypalEventPage.parse(
        await client.ask('list events', (api) => {
          const request = api.request('GET', '/v1/notifications/webhooks-events');
          request.query(query);
          return request.callAsText();
        }),
      );
      const next = links.find(({ rel }) => rel === 'next')?.href;
      return { items: events, next: events.length > 0 ? next : undefined };
    });
  }

  return { report, reportOfCapture, reportOfDispute, paymentOfCapture, listEvents };
}

function withDispute(report: LiveReport, dispute: PaypalDispute, observedAt: number): LiveReport {
  return { ...report, facts: factsWithDispute(report, dispute, observedAt) };
}

export function reportOf(order: PaypalOrder, observedAt: number): LiveReport {
  return {
    paymentId: order.id,
    metadata: metadataOf(order.purchase_units[0] ?? {}),
    stage: stageOf(order),
    facts: factsOfOrder(order, observedAt),
  };
}

/** Of a capture whose order PayPal has forgotten. */
function reportWithoutOrder(paymentId: string, capture: PaypalCapture, observedAt: number): LiveReport {
  const facts = factsOfCapture(paymentId, capture, observedAt);
  return { paymentId, metadata: metadataOf(capture), stage: 'closed', facts };
}

function stageOf({ status }: PaypalOrder): PaymentReport['stage'] {
  if (status === 'APPROVED') return 'approved';
  return status === 'COMPLETED' || status === 'VOIDED' ? 'closed' : 'open';
}

function hasCapture({ facts }: PaymentReport, captureId: string): boolean {
  return facts.some((fact) => fact.kind === 'captured' && fact.captureId === captureId);
}
