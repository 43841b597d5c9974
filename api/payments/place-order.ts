import type { Request, Response } from 'express';
import { orderRequest, type PaymentMethod } from '../../core/orders.ts';
import type { Order } from '../../db/orders.ts';
import { placeOrder } from '../../orders/place-order.ts';
import { limitRecipient } from '../http/rate-limit.ts';
import type { ApiParts } from '../parts.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

/**
 * Places the order that the request describes, behind the guards of its route.
 * @throws HttpError 429 above the limit of the mailbox, ZodError, BadRequest, OrderError
 */
export async function placeRequestedOrder(
  parts: ApiParts,
  req: Request,
  res: Response,
  paymentMethod: PaymentMethod,
): Promise<Order> {
  const request = orderRequest.parse(req.body);
  await limitRecipient(parts.rateLimits, 'order-recipient', request.customerEmail, res);
  return placeOrder(parts, {
    ...request,
    paymentMethod,
    idempotencyKey: readIdempotencyKey(req),
    userId: req.session?.userId ?? null,
    requestId: req.id,
  });
}
