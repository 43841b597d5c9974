import { isUnsettled, settle } from '../core/order-lifecycle.ts';
import { amountTaken } from '../core/order-money.ts';
import { factsFor, type PaymentReport, type PaymentRole } from '../core/payment-reports.ts';
import { inBatches, perOwner } from '../db/batches.ts';
import { looksDifferent } from '../db/order-status.ts';
import type { Order } from '../db/orders.ts';
import type { PaymentEvent } from '../db/payment-events.ts';
import { type SettlementChange, type SettlementOutcome, saveSettlements } from '../db/settlement.ts';
import { currentTraceparent } from '../db/traceparent.ts';
import { crashPoint } from '../infra/crash-point.ts';
import type { Outbox } from '../infra/outbox.ts';
import { emailsFor, failedRefundsOf, jobsFor } from './follow-ups.ts';
import type { JobRun, OrderParts } from './parts.ts';

/**
 * The only place where a placed order changes its status: the pure rule decides on the order as it was read, and the decision
 * is written if the order is still at that version. `moved` means that nothing was written: read and decide again.
 */
export async function settleOrder(
  parts: OrderParts,
  order: Order,
  report: PaymentReport,
  role: Exclude<PaymentRole, 'unrelated'>,
  { event, run }: { event: PaymentEvent; run: JobRun },
): Promise<SettlementOutcome> {
  const now = event.receivedAt.getTime();
  const next = settle(order, factsFor(order, report, role));
  const state = {
    status: next.status,
    facts: next.facts,
    amountRefunded: next.amountRefunded,
    failureReason: next.status === 'failed' ? (next.facts.attempt?.reason ?? null) : null,
    paymentIntentId: role === 'current' ? (order.paymentIntentId ?? report.paymentId) : order.paymentIntentId,
  };
  const isVisible =
    next.moves.length > 0 || event.source.endsWith(' call') || looksDifferent(order, { ...order, ...state });
  return saveInBatches(parts.outbox)({
    orderId: order.id,
    amount: order.amount,
    currency: order.currency,
    paymentMethod: order.paymentMethod,
    version: order.version,
    ...state,
    isPaid: next.moves.some((move) => move.to === 'paid'),
    taken: amountTaken(order, next.facts),
    isUnsettled: isUnsettled(next.status),
    moves: next.moves,
    emails: emailsFor(order, next, { provider: event.provider, alerts: report.alerts, now }),
    jobs: jobsFor(order, next),
    failedRefunds: failedRefundsOf(order, next, event.provider),
    isVisible,
    source: event.source,
    eventId: event.id,
    outboxId: run.row,
    requestId: run.requestId,
    traceparent: currentTraceparent(),
  });
}

/** Settlements that would wait for each other share a statement: under load batches grow larger, not more numerous. */
const saveInBatches = perOwner((outbox: Outbox) =>
  inBatches((changes: SettlementChange[]) =>
    outbox.statement((db) => {
      crashPoint('in-apply-payment-event');
      return saveSettlements(db, changes);
    }),
  ),
);
