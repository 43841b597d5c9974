import { z } from 'zod';
import type { PaymentMethod } from './orders.ts';
import { type PaymentFact, paymentFact } from './payment-facts.ts';

/** How something about a payment became known. Every inbox row carries one; the order's history repeats it. */
const eventSources = [
  'webhook',
  'confirm call',
  'capture call',
  'reconciliation',
  'expiry',
  'backfill',
  'operator',
] as const;
export type EventSource = (typeof eventSources)[number];

/** What a provider says about one payment: whose it is, and the facts. Stored in the inbox as JSON. */
export const paymentReport = z.object({
  /** PaymentIntent id or PayPal order id; null where the order has no payment yet. */
  paymentId: z.string().nullable(),
  /** What we wrote on the payment when we created it; another application's payment has other keys or none. */
  metadata: z.object({
    app: z.string().optional(),
    deployment: z.string().optional(),
    orderId: z.string().optional(),
  }),
  facts: z.array(paymentFact),
  /** Whether the buyer may still act, has approved (we have to capture), or the payment has ended. */
  stage: z.enum(['open', 'approved', 'closed']).optional(),
  alerts: z
    .array(
      z.object({
        kind: z.enum(['fraud_warning', 'review']),
        id: z.string(),
        paymentId: z.string(),
        detail: z.string(),
      }),
    )
    .optional(),
});
export type PaymentReport = z.infer<typeof paymentReport>;

/** `metadata.app` of our payments: the account may have other uses. */
export const OUR_APP = 'querywright';

/** Whether the payment took money, all of which may have gone back since. */
export function tookMoney({ facts }: Pick<PaymentReport, 'facts'>): boolean {
  return facts.some((fact) => fact.kind === 'captured');
}

/** Whether no money was taken and no attempt is in progress. */
export function isIdle({ facts }: Pick<PaymentReport, 'facts'>): boolean {
  return facts.every((fact) => fact.kind === 'attempt' && fact.status === 'failed');
}

export type PaymentRole = 'current' | 'former' | 'unrelated';

export interface OrderPayments {
  id: string;
  paymentMethod: PaymentMethod;
  paymentIntentId: string | null;
  formerPaymentIds: readonly string[];
}

/**
 * Whether a report concerns the current payment, a former one, or neither. A payment that names the order is the order's, even
 * if a failover or a restore has lost it from the row: only we and the buyer know the order's id.
 */
export function paymentRoleOf(
  order: OrderPayments,
  report: PaymentReport,
  provider: PaymentMethod,
): PaymentRole {
  const { paymentId, metadata } = report;
  if (paymentId === null) return 'current';
  if (order.formerPaymentIds.includes(paymentId)) return 'former';
  if (order.paymentIntentId === paymentId) return 'current';
  if (metadata.orderId !== order.id) return 'unrelated';
  return order.paymentIntentId === null && order.paymentMethod === provider ? 'current' : 'former';
}

/**
 * The facts of a report that count for an order. Money whose payment names another order, or none, is kept apart: it
 * never pays, it puts the order in review. Of a former payment only the money counts, not its attempts.
 */
export function factsFor(order: { id: string }, report: PaymentReport, role: PaymentRole): PaymentFact[] {
  const isOurs = report.paymentId === null || report.metadata.orderId === order.id;
  return report.facts
    .filter((fact) => role === 'current' || fact.kind !== 'attempt')
    .map((fact) =>
      fact.kind === 'captured' && !isOurs ? { ...fact, forAnotherOrder: true as const } : fact,
    );
}
