import type { PayPalContext } from './context.ts';
import { badRequest, PayPalApiError, unprocessable } from './errors.ts';
import { checkedMoney } from './money.ts';
import { findOrder, readMoney } from './orders.ts';
import { payPalNow } from './state.ts';

const TEXTS = ['description', 'custom_id', 'invoice_id', 'soft_descriptor'] as const;
const PATH = /^\/purchase_units\/@reference_id=='([^']+)'\/(\w+)$/;

/** `PATCH /v2/checkout/orders/{id}`: texts and the amount of an order that is not captured yet. */
export function patchOrder(ctx: PayPalContext, id: string, patches: unknown): void {
  const order = findOrder(ctx, id);
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_COMPLETED');
  if (!Array.isArray(patches)) throw badRequest('INVALID_PARAMETER_SYNTAX');
  const [unit] = order.purchase_units;
  for (const patch of patches) {
    const { op, path, value } = Object(patch);
    const [, reference, name] = PATH.exec(String(path)) ?? [];
    if (reference !== unit.reference_id || !['add', 'replace', 'remove'].includes(op)) {
      throw new PayPalApiError(422, { issue: 'NOT_PATCHABLE', field: String(path) });
    }
    const text = TEXTS.find((known) => known === name);
    if (text && op === 'remove') delete unit[text];
    else if (text && typeof value === 'string') unit[text] = value;
    else if (name === 'amount' && op === 'replace') {
      unit.amount = checkedMoney(readMoney(Object(value), String(path)), `${path}/value`);
      // The buyer agreed to the old amount, not to this one.
      if (order.status === 'APPROVED') order.status = 'PAYER_ACTION_REQUIRED';
    } else throw new PayPalApiError(422, { issue: 'NOT_PATCHABLE', field: String(path) });
  }
  order.update_time = payPalNow();
}
