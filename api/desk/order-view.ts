import { isCancelable } from '../../core/desk-actions.ts';
import type { DeskOrder, DeskPayment } from '../../core/desk-order.ts';
import { whyNotKeepable } from '../../core/kept-payment.ts';
import { settlingPayment } from '../../core/order-money.ts';
import { methodTypeOfPayment } from '../../core/payment-method.ts';
import { isClosedByRefund, refundableOf } from '../../core/refunds.ts';
import type { OrderDetails } from '../../db/order-details.ts';
import type { OrderTimeline } from '../../db/order-timeline.ts';
import { paymentIdsOf } from '../../db/orders.ts';
import type { WaitingRefund } from '../../db/refunds.ts';
import { dashboardUrl } from '../../emails/compose/dashboards.ts';
import type { Config } from '../../infra/config.ts';
import { toOrderRow } from '../../orders/list-orders.ts';
import { canBeDecided } from '../../orders/operator.ts';
import { providerOf } from '../../orders/provider-of.ts';

export function toDeskOrder(
  config: Config,
  { order, timeline }: OrderTimeline,
  waiting: WaitingRefund[],
): DeskOrder {
  return {
    ...toOrderRow(order),
    amountRefunded: order.amountRefunded,
    failureReason: order.failureReason,
    paidAt: order.paidAt?.toISOString() ?? null,
    payments: paymentsOf(config, order, waiting),
    disputes: disputesOf(config, order),
    timeline: timeline.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })),
    isForDecision: canBeDecided(order),
    isCancelable: isCancelable(order.status),
  };
}

/** The current payment, then former ones, then others that took money. */
function paymentsOf(config: Config, order: OrderDetails, waiting: WaitingRefund[]): DeskPayment[] {
  const { facts } = order;
  const refundable = refundableOf(facts, order.paymentMethod, waiting);
  return paymentIdsOf(order).map((id) => {
    const capture = facts.captures[id];
    const provider = capture?.provider ?? providerOf(id);
    const left = refundable.find(({ paymentId }) => paymentId === id);
    return {
      id,
      provider,
      methodType: methodTypeOfPayment(id, facts),
      role: roleOf(id, order),
      taken: capture ? { amount: capture.amount, currency: capture.currency } : null,
      refundable: left?.amount ?? 0,
      isKeepable: whyNotKeepable(order, facts, id) === undefined,
      onlyInFull: left?.onlyInFull ?? false,
      refunds: refundsOf(id, order, waiting),
      dashboardUrl: dashboardUrl(config, provider, 'payment', id),
    };
  });
}

function roleOf(id: string, order: OrderDetails): DeskPayment['role'] {
  if (id === order.paymentIntentId) return 'current';
  if (id === settlingPayment(order, order.facts)) return 'paying';
  return order.formerPaymentIds.includes(id) ? 'former' : 'other';
}

/** The payment's reported refunds, and those that staff requested and no provider has reported yet. */
function refundsOf(id: string, { facts }: OrderDetails, waiting: WaitingRefund[]): DeskPayment['refunds'] {
  const reported = Object.entries(facts.refunds ?? {}).filter(([, { paymentId }]) => paymentId === id);
  // The provider's report may arrive before the job ends, and does not name the job.
  const isReported = ({ amount, requestedAt }: WaitingRefund) =>
    reported.some(([, refund]) => refund.amount === amount && refund.observedAt >= requestedAt);
  const requested = waiting.filter(
    (refund) => refund.paymentId === id && !refund.hasFailed && !isReported(refund),
  );
  return [
    ...reported.map(([refundId, { amount, status }]) => ({ id: refundId, amount, status })),
    ...requested.map(({ id: jobId, amount }) => ({
      ...{ id: `requested-${jobId}`, amount },
      status: 'pending' as const,
    })),
  ];
}

function disputesOf(config: Config, { facts, paymentMethod }: OrderDetails): DeskOrder['disputes'] {
  return Object.entries(facts.disputes).map(([id, dispute]) => {
    const { amount, outcome, ending = null, reason = null, isRefundable = false } = dispute;
    const { evidenceDueAt, paymentId } = dispute;
    const provider = paymentId ? providerOf(paymentId) : paymentMethod;
    return {
      ...{ id, amount, outcome, ending, reason, isRefundable },
      byRefund: isClosedByRefund(facts, dispute),
      evidenceDueAt: evidenceDueAt === undefined ? null : new Date(evidenceDueAt).toISOString(),
      dashboardUrl: dashboardUrl(config, provider, 'dispute', id),
    };
  });
}
