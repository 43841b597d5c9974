import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { BadRequest, Conflict, HttpError } from '../api/http/errors.ts';
import { requestId } from '../api/http/request-id.ts';
import type { ApiParts } from '../api/parts.ts';
import { CURRENCY, formatMoney } from '../core/money.ts';
import { idempotencyKey, type OrderRequest, orderRequest, type PaymentMethod } from '../core/orders.ts';
import { firstCheckDelayMs } from '../core/reconciliation.ts';
import type { ServiceView } from '../core/services.ts';
import { createOrder, type Order } from '../db/orders.ts';
import { findService } from '../db/services.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { switchPayment } from './switch-payment.ts';

/**
 * Takes an order from a request: checks it against the catalogue and stores it, committed before any provider is
 * asked. A repeated Idempotency-Key gives the first order again, to be paid by this method from now on.
 * @throws BadRequest for an unknown service, Conflict (409) for another price, HttpError 422 for a reused key
 */
export async function placeOrder(
  parts: ApiParts,
  req: Request,
  paymentMethod: PaymentMethod,
): Promise<{ order: Order; service: ServiceView }> {
  const { db } = parts;
  const request = orderRequest.parse(req.body);
  const key = readIdempotencyKey(req);
  const service = await findService(db, request.serviceId);
  if (!service) throw new BadRequest('serviceId: Unknown service', { serviceId: 'Unknown service' });
  requirePrice(service, request.amount);

  const requestFingerprint = fingerprint(request);
  crashPoint('before-order-commit');
  const order = await createOrder(
    db,
    {
      userId: req.session?.userId ?? null,
      serviceId: service.id,
      customerName: request.customerName,
      customerEmail: request.customerEmail,
      paymentMethod,
      amount: service.price,
      idempotencyKey: key,
      requestFingerprint,
      firstCheckInMs: firstCheckDelayMs,
    },
    requestId(req),
  );
  if (order.requestFingerprint !== requestFingerprint) {
    throw new HttpError(422, 'This Idempotency-Key was used for another order');
  }
  crashPoint('after-order-commit');
  if (order.paymentMethod === paymentMethod) return { order, service };
  return { order: await switchPayment(parts, order, paymentMethod, requestId(req)), service };
}

function readIdempotencyKey(req: Request): string | null {
  const header = req.get('idempotency-key');
  if (header === undefined) return null;
  const key = idempotencyKey.safeParse(header);
  if (key.success) return key.data;
  const message = key.error.issues[0]?.message ?? 'Idempotency-Key is not valid';
  throw new BadRequest(message, { 'Idempotency-Key': message });
}

/** The price is the server's (design §4); the client's amount is only compared. */
function requirePrice(service: ServiceView, amount: number): void {
  if (amount === service.price) return;
  throw new Conflict(
    `amount: The price of ${service.name} is ${formatMoney(service.price, CURRENCY)} (${service.price} cents)`,
  );
}

/** What makes two requests the same order: the way of paying may change, what is bought and by whom may not. */
function fingerprint({ serviceId, customerName, customerEmail, amount }: OrderRequest): string {
  const parts = [serviceId, customerName, customerEmail, amount];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
