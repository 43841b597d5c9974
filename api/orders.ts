import type { Router } from 'express';
import { isDebitReturned, moneyTaken } from '../core/order-money.ts';
import { type OrderView, orderPath, payOrderRequest } from '../core/orders.ts';
import { methodOf } from '../core/payment-method.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { payOrder } from '../orders/prepare-payment.ts';
import { cutOffQueued } from './http/cut-off.ts';
import { NotFound } from './http/errors.ts';
import { allowExactly, allowOnly, noQuery } from './http/request-guards.ts';
import { createRouter } from './http/router.ts';
import { createOrderEvents, streamLimits } from './order-events.ts';
import { createOrderFeed } from './order-feed.ts';
import type { ApiParts } from './parts.ts';
import { limitOrders } from './payments/order-limits.ts';

/** GET /api/orders/{orderId}, its live events and its payment. The id cannot be guessed and is the only key to an order. */
export function orderRoutes(parts: ApiParts): Router {
  const router = createRouter();
  const feed = createOrderFeed(parts.db, parts.orderStream, parts.logger);
  const events = createOrderEvents(feed, parts.streamLimits ?? streamLimits);

  router
    .route('/orders/:orderId')
    .get(noQuery, async (req, res) => {
      const order = await findOrder(parts.db, orderPath.parse(req.params).orderId);
      if (!order) throw new NotFound('Order not found');
      res.set('Cache-Control', 'no-store').json(toOrderView(order));
    })
    .all(allowOnly('GET'));

  router
    .route('/orders/:orderId/payment')
    .post(noQuery, limitOrders(parts.rateLimits), async (req, res) => {
      const { orderId } = orderPath.parse(req.params);
      const { paymentMethod } = payOrderRequest.parse(req.body);
      const payable = await payOrder(parts, { orderId, paymentMethod, requestId: req.id });
      res.set('Cache-Control', 'no-store').json(payable);
    })
    .all(allowOnly('POST'));

  router
    .route('/orders/:orderId/events')
    .head(allowExactly('GET'))
    .get(noQuery, cutOffQueued(parts.logger), events.limit, async (req, res) => {
      await events.stream(orderPath.parse(req.params).orderId, req, res);
    })
    .all(allowExactly('GET'));

  return router;
}

export function toOrderView(order: Order): OrderView {
  return {
    id: order.id,
    serviceId: order.serviceId,
    amount: order.amount,
    amountRefunded: order.amountRefunded,
    moneyTaken: moneyTaken(order.facts),
    debitReturned: isDebitReturned(order, order.facts),
    currency: order.currency,
    ...methodOf(order, order.facts),
    status: order.status,
    customerEmail: order.customerEmail,
    failureReason: order.failureReason,
    createdAt: order.createdAt.toISOString(),
    paidAt: order.paidAt?.toISOString() ?? null,
  };
}
