import { merchant, type PayPalContext } from './context.ts';
import { badRequest, notFound, unprocessable } from './errors.ts';
import { link } from './link.ts';
import { centsOf, checkedMoney } from './money.ts';
import { type CaptureOutcome, newPayPalId, payPalNow } from './state.ts';
import type { Link, Money, PayPalOrder, PurchaseUnit } from './types.ts';

type Fields = Record<string, unknown>;

/** `POST /v2/checkout/orders` with one purchase unit. */
export function createOrder(ctx: PayPalContext, body: Fields, requestId: string | undefined): PayPalOrder {
  const intent = requiredText(body, 'intent', '/intent');
  if (intent !== 'CAPTURE') {
    const known = intent === 'AUTHORIZE';
    throw badRequest(known ? 'NOT_SUPPORTED' : 'INVALID_PARAMETER_SYNTAX', {
      field: '/intent',
      value: intent,
    });
  }
  const units = body.purchase_units;
  if (!Array.isArray(units)) throw badRequest('MISSING_REQUIRED_PARAMETER', { field: '/purchase_units' });
  if (units.length === 0) throw badRequest('INVALID_ARRAY_MIN_ITEMS', { field: '/purchase_units' });
  if (units.length > 1) throw badRequest('INVALID_ARRAY_MAX_ITEMS', { field: '/purchase_units' });
  const source = fieldsOf(body.payment_source).paypal;
  if (source && !requestId) throw badRequest('PAYPAL_REQUEST_ID_REQUIRED');

  const id = newPayPalId();
  const experience = {
    ...fieldsOf(body.application_context),
    ...fieldsOf(fieldsOf(source).experience_context),
  };
  ctx.state.returnUrls.set(id, {
    returnUrl: textOf(experience.return_url),
    cancelUrl: textOf(experience.cancel_url),
  });
  const order: PayPalOrder = {
    id,
    intent,
    status: source ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    purchase_units: [newPurchaseUnit(fieldsOf(units[0]))],
    create_time: payPalNow(),
    update_time: payPalNow(),
    ...(source ? { payment_source: { paypal: {} } } : {}),
    links: orderLinks(ctx, id, source ? 'payer-action' : 'approve'),
  };
  ctx.state.orders.set(id, order);
  return order;
}

/** @throws PayPalApiError 404 */
export function findOrder(ctx: PayPalContext, id: string): PayPalOrder {
  const order = ctx.state.orders.get(id);
  if (!order) throw notFound(id);
  return order;
}

/** Approves in the buyer's place; `outcome` decides about the later capture. */
export function approveOrder(ctx: PayPalContext, id: string, outcome: CaptureOutcome): PayPalOrder {
  const order = findOrder(ctx, id);
  if (order.status === 'COMPLETED' || order.status === 'VOIDED')
    throw unprocessable('ORDER_ALREADY_CAPTURED');
  ctx.state.outcomes.set(id, outcome);
  order.status = 'APPROVED';
  order.update_time = payPalNow();
  order.payment_source = { paypal: buyerWallet };
  order.payer = buyer;
  order.links = orderLinks(ctx, id);
  ctx.events.emit('CHECKOUT.ORDER.APPROVED', 'checkout-order', 'An order has been approved by buyer', order);
  return order;
}

/** The answer without `Prefer: return=representation`. */
export function minimalOrder(order: PayPalOrder): object {
  const { id, status, payment_source, links } = order;
  return { id, status, ...(payment_source ? { payment_source } : {}), links };
}

export function orderLinks(ctx: PayPalContext, id: string, way?: 'approve' | 'payer-action'): Link[] {
  const path = `/v2/checkout/orders/${id}`;
  const links = [link(ctx, 'self', path)];
  if (way) {
    links.push(link(ctx, way, `/checkoutnow?token=${id}`), link(ctx, 'update', path, 'PATCH'));
  }
  return [...links, link(ctx, 'capture', `${path}/capture`, 'POST')];
}

function newPurchaseUnit(sent: Fields): PurchaseUnit {
  const at = "/purchase_units/@reference_id=='default'";
  const amount = fieldsOf(sent.amount);
  const field = `${at}/amount/value`;
  const money = checkedMoney(readMoney(amount, `${at}/amount`), field);
  checkBreakdown(amount, centsOf(money), field);
  const unit: PurchaseUnit = {
    reference_id: shortText(sent, 'reference_id', 256) ?? 'default',
    amount: { ...money, ...(amount.breakdown ? { breakdown: fieldsOf(amount.breakdown) } : {}) },
    payee: merchant,
  };
  for (const name of ['description', 'custom_id', 'invoice_id'] as const) {
    const text = shortText(sent, name, 127);
    if (text) unit[name] = text;
  }
  const descriptor = shortText(sent, 'soft_descriptor', 22);
  if (descriptor) unit.soft_descriptor = descriptor;
  if (Array.isArray(sent.items)) unit.items = sent.items;
  return unit;
}

/** @throws PayPalApiError 400 if it is not money */
export function readMoney(sent: Fields, at: string): Money {
  const money = {
    currency_code: requiredText(sent, 'currency_code', `${at}/currency_code`),
    value: requiredText(sent, 'value', `${at}/value`),
  };
  if (!/^-?(\d+|\d*\.\d+)$/.test(money.value) || money.value.length > 32) {
    throw badRequest('INVALID_PARAMETER_SYNTAX', { field: `${at}/value`, value: money.value });
  }
  return money;
}

function checkBreakdown(amount: Fields, cents: number, field: string): void {
  if (!amount.breakdown) return;
  const parts = fieldsOf(amount.breakdown);
  const sum = Object.entries(parts).reduce((total, [name, part]) => {
    const value = centsOf({ currency_code: '', value: String(fieldsOf(part).value ?? '0') });
    return name.endsWith('discount') ? total - value : total + value;
  }, 0);
  if (sum !== cents) throw unprocessable('AMOUNT_MISMATCH', { field });
}

function shortText(sent: Fields, name: string, maxLength: number): string | undefined {
  const value = sent[name];
  if (value === undefined || value === null) return undefined;
  const field = `/purchase_units/0/${name}`;
  if (typeof value !== 'string') throw badRequest('INVALID_PARAMETER_SYNTAX', { field });
  if (value.length < 1 || value.length > maxLength) throw badRequest('INVALID_STRING_LENGTH', { field });
  return value;
}

function requiredText(sent: Fields, name: string, field: string): string {
  const value = sent[name];
  if (value === undefined || value === null || value === '')
    throw badRequest('MISSING_REQUIRED_PARAMETER', { field });
  if (typeof value !== 'string')
    throw badRequest('INVALID_PARAMETER_SYNTAX', { field, value: String(value) });
  return value;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const buyerName = { given_name: 'Ada', surname: 'Buyer' };
export const buyer = {
  name: buyerName,
  email_address: 'ada.buyer@example.com',
  payer_id: 'QWSANDBXBUYR2',
  address: { country_code: 'US' },
};
const buyerWallet = {
  email_address: 'ada.buyer@example.com',
  account_id: 'QWSANDBXBUYR2',
  account_status: 'VERIFIED',
  name: buyerName,
  address: { country_code: 'US' },
};
