import { Router } from 'express';
import { type OrderView, orderPath } from '../core/orders.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { NotFound } from './http/errors.ts';
import { allowOnly, noQuery } from './http/request-guards.ts';
import { streamOrder } from './order-events.ts';
import type { ApiParts } from './parts.ts';

/** GET /api/orders/{orderId} and its live events. The id is a random UUID and the only key to an order. */
export function orderRoutes(parts: ApiParts): Router {
  const router = Router();

  async function requireOrder(params: unknown): Promise<Order> {
    const order = await findOrder(parts.db, orderPath.parse(params).orderId);
    if (!order) throw new NotFound('There is no such order');
    return order;
  }

  router
    .route('/orders/:orderId')
    .get(noQuery, async (req, res) => {
      const order = await requireOrder(req.params);
      res.set('Cache-Control', 'no-store').json(toOrderView(order));
    })
    .all(allowOnly('GET'));

  router
    .route('/orders/:orderId/events')
    .get(noQuery, async (req, res) => {
      const order = await requireOrder(req.params);
      streamOrder(parts, order, req, res);
    })
    .all(allowOnly('GET'));

  return router;
}

/** The fields that a success page may show. */
export function toOrderView(order: Order): OrderView {
  return {
    id: order.id,
    serviceId: order.serviceId,
    amount: order.amount,
    amountRefunded: order.amountRefunded,
    currency: order.currency,
    paymentMethod: order.paymentMethod,
    status: order.status,
    customerEmail: order.customerEmail,
    failureReason: order.failureReason,
    createdAt: order.createdAt.toISOString(),
    paidAt: order.paidAt?.toISOString() ?? null,
  };
}
