import { randomUUID } from 'node:crypto';
import type { PaymentFact } from '../core/payment-facts.ts';
import type { EventReading, LiveReport, OrderToPay, PaymentGateway } from '../providers/gateway.ts';
import { WebhookRefused } from '../providers/gateway.ts';
import { ProviderError } from '../providers/provider-error.ts';

interface ToyPayment {
  order: OrderToPay;
  status: 'open' | 'paid' | 'declined' | 'canceled';
  refundedAt: number | undefined;
}

/** A provider that is nothing but the interface: payments live in a Map, and a webhook is signed with a password. */
export class ToyGateway implements PaymentGateway {
  readonly payments = new Map<string, ToyPayment>();
  readonly handledEvents = ['toy.changed'];

  readonly webhook = {
    isConfigured: true,
    headerFault: () => undefined,
    async verify(rawBody: Buffer, header: (name: string) => string | undefined) {
      if (header('toy-password') !== 'swordfish') throw new WebhookRefused('bad_signature');
      const { id } = JSON.parse(rawBody.toString()) as { id: string };
      return { eventId: id, type: 'toy.changed' };
    },
  };

  clientToken = async () => 'toy-token';

  async createPayment(order: OrderToPay) {
    const same = [...this.payments].find(
      ([, { order: known }]) =>
        known.id === order.id && known.formerPaymentIds.length === order.formerPaymentIds.length,
    );
    if (same) return { paymentId: same[0] };
    const paymentId = `TOY${randomUUID().replaceAll('-', '').slice(0, 20).toUpperCase()}`;
    this.payments.set(paymentId, { order, status: 'open', refundedAt: undefined });
    return { paymentId };
  }

  async report(paymentId: string, observedAt: number): Promise<LiveReport> {
    const { order, status, refundedAt } = this.#find(paymentId);
    const { id: orderId, amount, currency } = order;
    const facts: PaymentFact[] = [];
    if (status === 'paid') facts.push({ kind: 'captured', provider: 'paypal', paymentId, amount, currency });
    if (status === 'declined') {
      facts.push({ kind: 'attempt', paymentId, status: 'failed', reason: 'No.', observedAt });
    }
    if (status === 'canceled') {
      facts.push({ kind: 'attempt', paymentId, status: 'canceled', reason: null, observedAt });
    }
    if (refundedAt !== undefined) {
      const refundId = `R-${paymentId}`;
      facts.push({ kind: 'refund', refundId, paymentId, amount, status: 'succeeded', observedAt });
    }
    const metadata = { app: 'querywright', deployment: 'test', orderId };
    return { paymentId, metadata, facts, stage: status === 'open' ? 'open' : 'closed' };
  }

  async findPaymentOf({ id }: { id: string }) {
    return [...this.payments].find(([, { order }]) => order.id === id)?.[0];
  }

  async cancelPayment(paymentId: string, observedAt: number) {
    const payment = this.#find(paymentId);
    if (payment.status === 'open') payment.status = 'canceled';
    return this.report(paymentId, observedAt);
  }

  async refundPayment(paymentId: string) {
    this.#find(paymentId).refundedAt ??= Date.now();
  }

  async refundPart(paymentId: string) {
    await this.refundPayment(paymentId);
  }

  async readEvent(payload: unknown, { now }: { now(): Promise<number> }): Promise<EventReading> {
    const { payment } = payload as { payment: string };
    return { report: await this.report(payment, await now()) };
  }

  /** What the buyer does. */
  settle(paymentId: string, status: 'paid' | 'declined'): void {
    this.#find(paymentId).status = status;
  }

  #find(paymentId: string): ToyPayment {
    const payment = this.payments.get(paymentId);
    if (payment) return payment;
    throw new ProviderError('paypal', `toy: no payment ${paymentId}`, { statusCode: 404, cause: undefined });
  }
}
