import type { Request } from 'express';
import { orderRequest, type PaymentMethod } from '../../core/orders.ts';
import { type PlacedOrder, placeOrder } from '../../orders/place-order.ts';
import type { ApiParts } from '../parts.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

/**
 * Places the order that the request describes, behind the guards of its route.
 * @throws ZodError, BadRequest, OrderError
 */
export async function placeRequestedOrder(
  parts: ApiParts,
  req: Request,
  paymentMethod: PaymentMethod,
): Promise<PlacedOrder> {
  const request = orderRequest.parse(req.body);
  return placeOrder(parts, {
    ...request,
    paymentMethod,
    idempotencyKey: readIdempotencyKey(req),
    userId: req.session?.userId ?? null,
    requestId: req.id,
  });
}
