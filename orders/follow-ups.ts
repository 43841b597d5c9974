import { DAY_MS, MINUTE_MS } from '../core/durations.ts';
import type { EmailRequest } from '../core/emails.ts';
import type { FailedTransfer } from '../core/failed-transfers.ts';
import type { Job } from '../core/jobs.ts';
import type { OrderEffect } from '../core/order-effects.ts';
import type { Settlement } from '../core/order-lifecycle.ts';
import { isSurplus } from '../core/order-money.ts';
import type { PaymentMethod } from '../core/orders.ts';
import type { Dispute, PaymentFacts } from '../core/payment-facts.ts';
import type { PaymentReport } from '../core/payment-reports.ts';
import { isClosedByRefund } from '../core/refunds.ts';
import type { Order } from '../db/orders.ts';

/** A declined card is usually tried again at once. The e-mail is for buyers who left; it is dropped if they paid. */
const PAYMENT_FAILED_EMAIL_DELAY_MS = 10 * MINUTE_MS;
/** Most payments are processing for seconds. The e-mail is for banks that take days; it is dropped if they were faster. */
const PROCESSING_EMAIL_DELAY_MS = 30 * MINUTE_MS;
/** How long before the deadline staff are reminded to submit evidence. */
const REMINDER_LEAD_MS = 3 * DAY_MS;

export function emailsFor(
  order: Order,
  next: Settlement,
  { provider, alerts = [], now }: { provider: PaymentMethod; alerts?: PaymentReport['alerts']; now: number },
): EmailRequest[] {
  const { id: orderId } = order;
  return [
    ...next.effects.flatMap((effect) => emailsForEffect(orderId, next, effect, provider, now)),
    ...alerts.map(({ kind, id, paymentId, detail }): EmailRequest => {
      const about = { paymentId, provider, reason: detail || null };
      const warning = kind === 'fraud_warning' ? 'early_fraud_warning' : 'review';
      return { kind: 'fraud_warning_alert', dedupeKey: id, params: { ...about, warning }, orderId };
    }),
  ];
}

export function jobsFor(order: Order, { effects, facts }: Settlement): Job[] {
  const { id: orderId, paymentIntentId, paymentMethod: provider } = order;
  return effects.flatMap((effect): Job[] => {
    if (effect.kind === 'duplicate_payment')
      return [{ name: 'refund-duplicate', payload: { orderId, paymentId: effect.paymentId } }];
    // Paid by a former payment: the buyer could still pay the current one.
    if (effect.kind === 'paid' && paymentIntentId && isSurplus(order, facts, paymentIntentId))
      return [{ name: 'cancel-payment', payload: { orderId, paymentId: paymentIntentId, provider } }];
    return [];
  });
}

/** The refunds that failed by this settlement, for staff to see to. */
export function failedRefundsOf(
  { id: orderId, currency }: Order,
  { effects, facts }: Settlement,
  provider: PaymentMethod,
): FailedTransfer[] {
  return effects.flatMap((effect): FailedTransfer[] => {
    if (effect.kind !== 'refund_failed') return [];
    const refund = facts.refunds?.[effect.refundId];
    if (!refund) return [];
    const { amount, status: reason, paymentId } = refund;
    const money = { amount, currency: facts.captures[paymentId]?.currency ?? currency };
    return [{ kind: 'refund', provider, transferId: effect.refundId, orderId, reason, ...money }];
  });
}

function emailsForEffect(
  orderId: string,
  next: Settlement,
  effect: OrderEffect,
  provider: PaymentMethod,
  now: number,
): EmailRequest[] {
  switch (effect.kind) {
    case 'paid':
      return [
        { kind: 'order_confirmation', dedupeKey: orderId, params: {}, orderId },
        { kind: 'order_notice', dedupeKey: orderId, params: {}, orderId },
      ];
    case 'payment_processing': {
      const delayMs = PROCESSING_EMAIL_DELAY_MS;
      const dedupeKey = `${orderId}:${effect.observedAt}`;
      return [{ kind: 'payment_processing', dedupeKey, params: {}, orderId, delayMs }];
    }
    case 'payment_held': {
      const { paymentId, reason } = effect;
      const dedupeKey = [orderId, paymentId, reason].join(':');
      return [{ kind: 'payment_held_alert', dedupeKey, params: { paymentId, provider, reason }, orderId }];
    }
    case 'payment_failed': {
      const delayMs = PAYMENT_FAILED_EMAIL_DELAY_MS;
      // All declines share one e-mail, however many cards are tried.
      const dedupeKey = effect.observedAt === undefined ? orderId : `${orderId}:${effect.observedAt}`;
      return [{ kind: 'payment_failed', dedupeKey, params: {}, orderId, delayMs }];
    }
    case 'order_canceled':
      return [{ kind: 'order_canceled', dedupeKey: orderId, params: {}, orderId }];
    case 'refunded': {
      const params = { refundedTotal: effect.total, refundedBefore: effect.total - effect.amount };
      const dedupeKey = [orderId, effect.total, ...effect.refundIds].join(':');
      return [{ kind: 'refund_notice', dedupeKey, params, orderId }];
    }
    case 'refund_failed':
      return refundFailed(orderId, next, effect.refundId, provider);
    case 'dispute_opened':
    case 'dispute_reopened':
      return disputeOpened(orderId, effect, next.facts.disputes[effect.disputeId], { provider, now });
    case 'dispute_closed':
      return disputeClosed(orderId, effect, next.facts, provider);
    case 'double_credit': {
      const { paymentId, taken, returned } = effect;
      const params = { paymentId, provider: next.facts.captures[paymentId]?.provider ?? provider };
      const dedupeKey = `${orderId}:${paymentId}`;
      return [{ kind: 'double_credit_alert', dedupeKey, params: { ...params, taken, returned }, orderId }];
    }
    case 'capture_mismatch':
      return [{ kind: 'review_alert', ...aboutPayment(orderId, effect.paymentId) }];
    case 'extra_payment':
      return [{ kind: 'review_alert', ...aboutPayment(orderId, effect.paymentId, ':extra') }];
    case 'duplicate_payment':
      return [{ kind: 'duplicate_payment_alert', ...aboutPayment(orderId, effect.paymentId) }];
    case 'payment_kept':
      return [{ kind: 'payment_kept', ...aboutPayment(orderId, effect.paymentId) }];
  }
}

function refundFailed(
  orderId: string,
  { facts }: Settlement,
  refundId: string,
  provider: PaymentMethod,
): EmailRequest[] {
  const refund = facts.refunds?.[refundId];
  if (!refund) return [];
  const { paymentId, amount, status } = refund;
  const dedupeKey = `${orderId}:${refundId}`;
  const params = { paymentId, provider, refundId, amount, reason: status };
  return [
    { kind: 'refund_failed_alert', dedupeKey, params, orderId },
    { kind: 'refund_failed', dedupeKey, params: { amount }, orderId },
  ];
}

/** Sent each time evidence is requested. Of a debit that is returned for good only the end is reported. */
function disputeOpened(
  orderId: string,
  { disputeId, ...reopened }: Extract<OrderEffect, { kind: 'dispute_opened' | 'dispute_reopened' }>,
  dispute: Dispute | undefined,
  { provider, now }: { provider: PaymentMethod; now: number },
): EmailRequest[] {
  const { amount, reason, evidenceDueAt } = dispute ?? {};
  const { isRefundable = false, isReturnedDebit = false, isUncontestable = false } = dispute ?? {};
  if (isReturnedDebit && dispute?.outcome !== 'open') return [];
  const details = { provider, disputeId, amount, reason: reason ?? null };
  const again = 'observedAt' in reopened ? `:${reopened.observedAt}` : '';
  const dedupeKey = `${orderId}:${disputeId}:opened${again}`;
  const dueAt = evidenceDueAt === undefined ? null : new Date(evidenceDueAt).toISOString();
  const about = { evidenceDueAt: dueAt, isRefundable, isReturnedDebit, isUncontestable };
  const params = { ...details, ...about, state: 'opened' } as const;
  const notice: EmailRequest = { kind: 'dispute_notice', dedupeKey, params, orderId };
  if (evidenceDueAt === undefined || dueAt === null || evidenceDueAt - now < REMINDER_LEAD_MS)
    return [notice];
  const delayMs = evidenceDueAt - REMINDER_LEAD_MS - now;
  return [
    notice,
    {
      kind: 'dispute_reminder',
      dedupeKey: `${orderId}:${disputeId}${again}`,
      params: { ...details, evidenceDueAt: dueAt },
      orderId,
      delayMs,
    },
  ];
}

/**
 * The outcome of a dispute can change: each one is a separate e-mail. The buyer gets none if a refund closed it, which was
 * announced, or if PayPal paid out, which only PayPal knows. A dispute closed without a decision is followed by another one.
 */
function disputeClosed(
  orderId: string,
  { disputeId, outcome: state, observedAt }: Extract<OrderEffect, { kind: 'dispute_closed' }>,
  facts: PaymentFacts,
  provider: PaymentMethod,
): EmailRequest[] {
  const dispute = facts.disputes[disputeId];
  if (!dispute) return [];
  const { amount, reason = null, isReturnedDebit = false, ending } = dispute;
  if (ending === 'none') return [];
  const dedupeKey = [orderId, disputeId, state, observedAt].join(':');
  const byRefund = isClosedByRefund(facts, dispute);
  const byPayout = ending === 'payout';
  const params = { provider, disputeId, amount, reason, state, byRefund, byPayout, isReturnedDebit };
  const notice: EmailRequest = { kind: 'dispute_notice', dedupeKey, params, orderId };
  if (byRefund || byPayout) return [notice];
  return [
    notice,
    { kind: 'dispute_closed', dedupeKey, params: { provider, state, amount, isReturnedDebit }, orderId },
  ];
}

function aboutPayment(orderId: string, paymentId: string, suffix = '') {
  return { dedupeKey: `${orderId}:${paymentId}${suffix}`, params: { paymentId }, orderId };
}
