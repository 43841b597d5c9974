import { createHash } from 'node:crypto';
import { CURRENCY, formatMoney } from '../core/money.ts';
import type { OrderRequest, PaymentMethod } from '../core/orders.ts';
import { firstCheckDelayMs } from '../core/reconciliation.ts';
import { createOrder, findOrderByKey, type Order } from '../db/orders.ts';
import { findService } from '../db/services.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { traceOrder } from '../infra/tracing.ts';
import { idempotencyKeyReused, priceChanged, serviceNotFound } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { choosePayment } from './switch-payment.ts';

interface OrderDraft extends OrderRequest {
  paymentMethod: PaymentMethod;
  userId: string | null;
  idempotencyKey: string | null;
  requestId: string;
}

/** An order that can be paid, and what its buyer's receipt calls it. */
export interface PlacedOrder {
  order: Order;
  receipt: string;
}

/**
 * Checks the order against the catalogue and commits it before any provider is asked. A repeated idempotency key returns
 * the first order, at its first price, to be paid by this method from now on.
 * @throws OrderError for an unknown service, another price, a reused key, or an order that can no longer be paid
 */
export async function placeOrder(parts: OrderParts, draft: OrderDraft): Promise<PlacedOrder> {
  const service = await findService(parts.db, draft.serviceId);
  if (!service) throw serviceNotFound();
  const requestFingerprint = fingerprint(draft);
  if (draft.amount !== service.price && !(await isKnownOrder(parts, draft))) {
    throw priceChanged(service.name, formatMoney(service.price, CURRENCY));
  }

  crashPoint('before-order-commit');
  const order = await createOrder(
    parts.db,
    {
      userId: draft.userId,
      serviceId: service.id,
      customerName: draft.customerName,
      customerEmail: draft.customerEmail,
      paymentMethod: draft.paymentMethod,
      amount: service.price,
      idempotencyKey: draft.idempotencyKey,
      requestFingerprint,
      firstCheckInMs: firstCheckDelayMs,
    },
    draft.requestId,
  );
  if (order.requestFingerprint !== requestFingerprint) throw idempotencyKeyReused();
  crashPoint('after-order-commit');
  traceOrder(order.id);
  const payable = await choosePayment(parts, order, draft.paymentMethod, draft.requestId);
  return { order: payable, receipt: service.name };
}

/** An order that was placed before keeps its price, even if the catalogue's has changed since. */
async function isKnownOrder({ db }: OrderParts, { idempotencyKey }: OrderDraft): Promise<boolean> {
  return idempotencyKey !== null && (await findOrderByKey(db, idempotencyKey)) !== undefined;
}

/** Two requests with the same fingerprint are the same order: the method may change, the service and the buyer may not. */
function fingerprint({ serviceId, customerName, customerEmail, amount }: OrderDraft): string {
  const parts = [serviceId, customerName, customerEmail, amount];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
