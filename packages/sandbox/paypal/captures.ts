import { merchant, type PayPalContext } from './context.ts';
import { notFound, unprocessable } from './errors.ts';
import { link } from './link.ts';
import { centsOf, moneyOf } from './money.ts';
import { findOrder, orderLinks } from './orders.ts';
import { newPayPalId, payPalNow } from './state.ts';
import type { PayPalCapture, PayPalOrder } from './types.ts';

/** `POST /v2/checkout/orders/{id}/capture`: takes the money of an approved order, once. */
export function captureOrder(ctx: PayPalContext, id: string): PayPalOrder {
  const order = findOrder(ctx, id);
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED');
  if (order.status !== 'APPROVED') throw unprocessable('ORDER_NOT_APPROVED');
  const [unit] = order.purchase_units;
  if (unit.invoice_id && invoiceIsPaid(ctx, unit.invoice_id)) throw unprocessable('DUPLICATE_INVOICE_ID');
  const issue = ctx.behaviors.consume('paypal-capture-issue', id)?.value;
  const outcome = ctx.state.outcomes.get(id) ?? 'completed';
  const refusal = issue ?? (outcome === 'declined' ? 'INSTRUMENT_DECLINED' : undefined);
  if (refusal && needsPayer.has(refusal)) {
    order.status = 'PAYER_ACTION_REQUIRED';
    order.links = orderLinks(ctx, id, 'payer-action');
    throw unprocessable(refusal, {}, [link(ctx, 'redirect', `/checkoutnow?token=${id}`)]);
  }
  if (refusal) throw unprocessable(refusal);
  const capture = newCapture(ctx, order);
  order.status = 'COMPLETED';
  order.update_time = payPalNow();
  order.links = [link(ctx, 'self', `/v2/checkout/orders/${id}`)];
  unit.payments = { captures: [capture] };
  const held = ctx.behaviors.consume('paypal-held-capture', id);
  const echeck = held ? undefined : ctx.behaviors.consume('paypal-echeck', id);
  const pending = held ?? echeck;
  if (pending) {
    hold(ctx, capture, held?.value ?? 'ECHECK');
    ctx.later(pending.ms, () => {
      if (capture.status === 'PENDING') settleCapture(ctx, capture.id, echeck?.value !== 'denied');
      ctx.touch();
    });
  } else if (outcome === 'pending') hold(ctx, capture, 'PENDING_REVIEW');
  else completeCapture(ctx, capture);
  return order;
}

/** The buyer has to act again in PayPal's window, for example by choosing another card. */
const needsPayer = new Set(['INSTRUMENT_DECLINED', 'PAYER_ACTION_REQUIRED']);

function hold(ctx: PayPalContext, capture: PayPalCapture, reason: string): void {
  capture.status = 'PENDING';
  capture.status_details = { reason };
  emit(ctx, 'PAYMENT.CAPTURE.PENDING', 'is pending', capture);
}

/** Ends PayPal's review of a pending capture. */
export function settleCapture(ctx: PayPalContext, id: string, paid: boolean): PayPalCapture {
  const capture = findCapture(ctx, id);
  if (capture.status !== 'PENDING') throw unprocessable('REFUND_NOT_ALLOWED');
  if (paid) {
    completeCapture(ctx, capture);
    return capture;
  }
  capture.status = 'DECLINED';
  capture.status_details = undefined;
  capture.update_time = payPalNow();
  const isDeclined = ctx.behaviors.consume('paypal-declined-event', id);
  emit(ctx, isDeclined ? 'PAYMENT.CAPTURE.DECLINED' : 'PAYMENT.CAPTURE.DENIED', 'was denied', capture);
  return capture;
}

export function findCapture(ctx: PayPalContext, id: string): PayPalCapture {
  const capture = ctx.state.captures.get(id);
  if (!capture) throw notFound(id);
  return capture;
}

/** `GET /v2/payments/captures/{id}` */
export function retrieveCapture(ctx: PayPalContext, id: string): PayPalCapture {
  if (ctx.behaviors.consume('paypal-late-capture', id)) throw notFound(id);
  return findCapture(ctx, id);
}

/** The answer without `Prefer: return=representation`. */
export function minimalCapture(order: PayPalOrder): object {
  const [{ reference_id, payments }] = order.purchase_units;
  const { id, status, payment_source, payer, links } = order;
  return { id, status, payment_source, purchase_units: [{ reference_id, payments }], payer, links };
}

function completeCapture(ctx: PayPalContext, capture: PayPalCapture): void {
  const gross = centsOf(capture.amount);
  // 3.49 % and 49 cents, as in the United States
  const fee = Math.round(gross * 0.0349) + 49;
  const currency = capture.amount.currency_code;
  capture.status = 'COMPLETED';
  capture.status_details = undefined;
  capture.update_time = payPalNow();
  capture.seller_receivable_breakdown = {
    gross_amount: capture.amount,
    paypal_fee: moneyOf(fee, currency),
    net_amount: moneyOf(gross - fee, currency),
  };
  emit(ctx, 'PAYMENT.CAPTURE.COMPLETED', 'was completed', capture);
}

function newCapture(ctx: PayPalContext, order: PayPalOrder): PayPalCapture {
  const [unit] = order.purchase_units;
  const id = newPayPalId();
  const isNameless = ctx.behaviors.consume('paypal-capture-without-order', order.id) !== undefined;
  const capture: PayPalCapture = {
    id,
    status: 'COMPLETED',
    amount: { currency_code: unit.amount.currency_code, value: unit.amount.value },
    final_capture: true,
    seller_protection: { status: 'NOT_ELIGIBLE', dispute_categories: [] },
    ...(unit.invoice_id ? { invoice_id: unit.invoice_id } : {}),
    ...(unit.custom_id && !isNameless ? { custom_id: unit.custom_id } : {}),
    create_time: payPalNow(),
    update_time: payPalNow(),
    ...(isNameless ? {} : { supplementary_data: { related_ids: { order_id: order.id } } }),
    payee: merchant,
    links: [
      link(ctx, 'self', `/v2/payments/captures/${id}`),
      link(ctx, 'refund', `/v2/payments/captures/${id}/refund`, 'POST'),
      link(ctx, 'up', `/v2/checkout/orders/${order.id}`),
    ],
  };
  ctx.state.captures.set(id, capture);
  ctx.state.orderOfCapture.set(id, order.id);
  return capture;
}

function invoiceIsPaid(ctx: PayPalContext, invoiceId: string): boolean {
  for (const capture of ctx.state.captures.values()) {
    if (capture.invoice_id === invoiceId && capture.status !== 'DECLINED') return true;
  }
  return false;
}

function emit(ctx: PayPalContext, type: string, what: string, capture: PayPalCapture): void {
  const { value, currency_code: currency } = capture.amount;
  ctx.events.emit(type, 'capture', `Payment ${what} for $ ${value} ${currency}`, capture);
}
