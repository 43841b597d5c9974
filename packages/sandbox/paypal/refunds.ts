import { findCapture } from './captures.ts';
import type { PayPalContext } from './context.ts';
import { notFound, unprocessable } from './errors.ts';
import { link } from './link.ts';
import { centsOf, checkedMoney, moneyOf } from './money.ts';
import { closeByRefund, refuseWhileDisputed } from './open-cases.ts';
import { readMoney } from './orders.ts';
import { newPayPalId, payPalNow } from './state.ts';
import type { Money, PayPalCapture, PayPalOrder, PayPalRefund } from './types.ts';

type Fields = Record<string, unknown>;

/** `POST /v2/payments/captures/{id}/refund`, or the same done in PayPal's dashboard. */
export function refundCapture(ctx: PayPalContext, captureId: string, body: Fields): PayPalRefund {
  const capture = findCapture(ctx, captureId);
  const left = leftOf(ctx, capture);
  const isFull = left > 0 && centsOf(amountOf(body, capture, left)) === left;
  refuseWhileDisputed(ctx, captureId, isFull);
  const refusal = ctx.behaviors.consume('paypal-refused-refund', captureId)?.value;
  if (refusal) throw unprocessable(refusal);
  const pending = ctx.behaviors.consume('paypal-pending-refund', captureId);
  const refund = giveBack(ctx, capture, body, pending ? 'PENDING' : 'COMPLETED');
  if (isFull) closeByRefund(ctx, captureId);
  if (!pending) {
    emit(ctx, 'PAYMENT.CAPTURE.REFUNDED', 'refunded', refund);
    return refund;
  }
  emit(ctx, 'PAYMENT.REFUND.PENDING', 'refunded and is pending', refund);
  ctx.later(pending.ms, () => {
    if (refund.status === 'PENDING') settleRefund(ctx, refund.id, pending.value as RefundOutcome);
    ctx.touch();
  });
  return refund;
}

export const refundOutcomes = ['completed', 'failed', 'cancelled'] as const;
type RefundOutcome = (typeof refundOutcomes)[number];
const statusAfter = { completed: 'COMPLETED', failed: 'FAILED', cancelled: 'CANCELLED' } as const;

/** Ends a pending refund. */
export function settleRefund(ctx: PayPalContext, id: string, outcome: RefundOutcome): PayPalRefund {
  const refund = findRefund(ctx, id);
  if (refund.status !== 'PENDING') throw unprocessable('REFUND_NOT_ALLOWED');
  const capture = findCapture(ctx, ctx.state.captureOfRefund.get(id) ?? '');
  lastChanges.set(capture, { id, before: refund.status });
  refund.status = statusAfter[outcome];
  refund.status_details = undefined;
  refund.update_time = payPalNow();
  if (outcome !== 'completed') {
    emit(ctx, 'PAYMENT.REFUND.FAILED', 'not refunded', refund);
    return refund;
  }
  countRefund(ctx, capture);
  emit(ctx, 'PAYMENT.CAPTURE.REFUNDED', 'refunded', refund);
  return refund;
}

/** The refund that changed last, and its status before; none if it is new. */
const lastChanges = new WeakMap<PayPalCapture, { id: string; before: PayPalRefund['status'] | undefined }>();

/** `GET /v2/checkout/orders/{id}`, perhaps as before the last change of its refunds. */
export function showOrder(ctx: PayPalContext, order: PayPalOrder): PayPalOrder {
  const [{ payments, ...unit }] = order.purchase_units;
  const [capture] = payments?.captures ?? [];
  const change = capture && lastChanges.get(capture);
  if (!change || !ctx.behaviors.consume('paypal-late-refund', order.id)) return order;
  const refunds = (payments?.refunds ?? []).flatMap((refund) => {
    if (refund.id !== change.id) return [refund];
    return change.before ? [{ ...refund, status: change.before }] : [];
  });
  const refunded = refunds
    .filter(({ status }) => status === 'COMPLETED')
    .reduce((sum, { amount }) => sum + centsOf(amount), 0);
  const earlier = { ...capture, status: statusOf(capture, refunded) };
  return { ...order, purchase_units: [{ ...unit, payments: { captures: [earlier], refunds } }] };
}

/** PayPal takes the money back, for example after a chargeback. */
export function reverseCapture(ctx: PayPalContext, captureId: string, body: Fields): PayPalRefund {
  const capture = findCapture(ctx, captureId);
  const refund = giveBack(ctx, capture, body, 'COMPLETED');
  emit(ctx, 'PAYMENT.CAPTURE.REVERSED', 'reversed', refund);
  return refund;
}

/** PayPal returns the money of a reversal to the seller. It stays listed. */
export function cancelReversal(ctx: PayPalContext, capture: PayPalCapture, refundId: string): void {
  ctx.state.captureOfRefund.delete(refundId);
  countRefund(ctx, capture);
}

export function findRefund(ctx: PayPalContext, id: string): PayPalRefund {
  const refund = ctx.state.refunds.get(id);
  if (!refund) throw notFound(id);
  return refund;
}

export function minimalRefund({ id, status, links }: PayPalRefund): object {
  return { id, status, links };
}

/** Cents of a capture refunded so far. */
export function refundedCents(
  ctx: PayPalContext,
  captureId: string,
  statuses: readonly PayPalRefund['status'][] = ['COMPLETED'],
): number {
  let total = 0;
  for (const [refundId, id] of ctx.state.captureOfRefund) {
    const refund = ctx.state.refunds.get(refundId);
    if (id === captureId && refund && statuses.includes(refund.status)) total += centsOf(refund.amount);
  }
  return total;
}

function giveBack(
  ctx: PayPalContext,
  capture: PayPalCapture,
  body: Fields,
  status: 'COMPLETED' | 'PENDING',
): PayPalRefund {
  if (capture.status === 'PENDING') throw unprocessable('PENDING_CAPTURE');
  if (capture.status === 'DECLINED' || capture.status === 'FAILED') throw unprocessable('REFUND_NOT_ALLOWED');
  const left = leftOf(ctx, capture);
  const currency = capture.amount.currency_code;
  if (left === 0) throw unprocessable('CAPTURE_FULLY_REFUNDED');
  const amount = amountOf(body, capture, left);
  if (amount.currency_code !== currency) throw unprocessable('REFUND_CAPTURE_CURRENCY_MISMATCH');
  const cents = centsOf(amount);
  if (cents > left)
    throw unprocessable('REFUND_AMOUNT_EXCEEDED', { field: '/amount/value', value: amount.value });

  const refund = newRefund(ctx, capture, cents, centsOf(capture.amount) - left + cents, body);
  if (status === 'PENDING') {
    refund.status = 'PENDING';
    refund.status_details = { reason: 'ECHECK' };
  } else countRefund(ctx, capture);
  const order = ctx.state.orders.get(ctx.state.orderOfCapture.get(capture.id) ?? '');
  lastChanges.set(capture, { id: refund.id, before: undefined });
  const payments = order?.purchase_units[0].payments;
  if (payments) payments.refunds = [...(payments.refunds ?? []), refund];
  return refund;
}

/** Cents that are neither refunded nor pending. */
function leftOf(ctx: PayPalContext, { id, amount }: PayPalCapture): number {
  return centsOf(amount) - refundedCents(ctx, id, ['COMPLETED', 'PENDING']);
}

function amountOf({ amount }: Fields, capture: PayPalCapture, left: number): Money {
  if (!amount) return moneyOf(left, capture.amount.currency_code);
  return checkedMoney(readMoney(Object(amount), '/amount'), '/amount/value');
}

function countRefund(ctx: PayPalContext, capture: PayPalCapture): void {
  const refunded = refundedCents(ctx, capture.id);
  capture.status = statusOf(capture, refunded);
  capture.update_time = payPalNow();
}

function statusOf({ amount }: PayPalCapture, refunded: number): PayPalCapture['status'] {
  if (refunded === centsOf(amount)) return 'REFUNDED';
  return refunded > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED';
}

function emit(ctx: PayPalContext, type: string, what: string, refund: PayPalRefund): void {
  const { value, currency_code: currency } = refund.amount;
  ctx.events.emit(type, 'refund', `A $ ${value} ${currency} capture payment was ${what}`, refund);
}

function newRefund(
  ctx: PayPalContext,
  capture: PayPalCapture,
  cents: number,
  total: number,
  body: Fields,
): PayPalRefund {
  const id = newPayPalId();
  const money = (amount: number) => moneyOf(amount, capture.amount.currency_code);
  const texts = {
    invoice_id: body.invoice_id ?? capture.invoice_id,
    custom_id: body.custom_id ?? capture.custom_id,
  };
  const refund: PayPalRefund = {
    id,
    status: 'COMPLETED',
    amount: money(cents),
    ...(typeof texts.invoice_id === 'string' ? { invoice_id: texts.invoice_id } : {}),
    ...(typeof texts.custom_id === 'string' ? { custom_id: texts.custom_id } : {}),
    ...(typeof body.note_to_payer === 'string' ? { note_to_payer: body.note_to_payer } : {}),
    seller_payable_breakdown: {
      gross_amount: money(cents),
      paypal_fee: money(0),
      net_amount: money(cents),
      total_refunded_amount: money(total),
    },
    create_time: payPalNow(),
    update_time: payPalNow(),
    links: [
      link(ctx, 'self', `/v2/payments/refunds/${id}`),
      link(ctx, 'up', `/v2/payments/captures/${capture.id}`),
    ],
  };
  ctx.state.refunds.set(id, refund);
  ctx.state.captureOfRefund.set(id, capture.id);
  return refund;
}
