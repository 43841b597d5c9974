import { Router } from 'express';
import { messages } from '../../core/messages.ts';
import { confirmPaypalPaymentRequest, type PaypalCaptured, paypalOrderPath } from '../../core/orders.ts';
import type { PaymentFact } from '../../core/payment-facts.ts';
import { databaseTime } from '../../db/database.ts';
import { findOrder, findOrderByPayment, type Order } from '../../db/orders.ts';
import { type Cause, settleOrder } from '../../db/settlement.ts';
import { crashPoint } from '../../infra/crash-point.ts';
import { requirePayable } from '../../orders/switch-payment.ts';
import type { PaymentReport } from '../../providers/gateway.ts';
import { Conflict, NotFound } from '../http/errors.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { requestId } from '../http/request-id.ts';
import type { ApiParts } from '../parts.ts';
import { providerCall } from './provider-call.ts';

/** The PayPal calls of spec §7 after PayPal's window: capture what was approved, and confirm it. Both ask PayPal. */
export function paypalCaptureRoutes(parts: ApiParts): Router {
  const { db, outbox, paypal, rateLimits } = parts;
  const router = Router();

  router
    .route('/paypal/order/:paypalOrderId/capture')
    .post(noQuery, rateLimit(rateLimits, 'confirm-payment'), async (req, res) => {
      const { paypalOrderId } = paypalOrderPath.parse(req.params);
      const order = await findOrderByPayment(db, paypalOrderId);
      if (order?.paymentMethod !== 'paypal') throw new NotFound('There is no such PayPal order');
      const report = await capture(order, paypalOrderId);
      const answer = outcomeOf(report.facts) ?? (await declinedMeanwhile(order));
      if (!answer) throw new Conflict('The payment has not been approved in PayPal yet');
      crashPoint('after-capture');
      await learn(order, report, 'capture call', requestId(req));
      res.set('Cache-Control', 'no-store').json(answer);
    })
    .all(allowOnly('POST'));

  router
    .route('/confirm-paypal-payment')
    .post(noQuery, rateLimit(rateLimits, 'confirm-payment'), async (req, res) => {
      const { orderId, paypalOrderId } = confirmPaypalPaymentRequest.parse(req.body);
      const order = await findOrder(db, orderId);
      if (!order) throw new NotFound('There is no such order');
      if (order.paymentIntentId !== paypalOrderId) throw notThisOrders();
      const observedAt = await databaseTime(db);
      const report = await providerCall(messages.paypalUnavailable, () =>
        paypal.report(paypalOrderId, observedAt),
      );
      const status = await learn(order, report, 'confirm call', requestId(req));
      res.set('Cache-Control', 'no-store').json({ status });
    })
    .all(allowOnly('POST'));

  return router;

  /** An order that is paid already is only looked at; of one that is over nothing is taken. */
  async function capture(order: Order, paypalOrderId: string): Promise<PaymentReport> {
    const observedAt = await databaseTime(db);
    const captured = Object.keys(order.facts.captures).length > 0 || order.status === 'processing';
    if (!captured) requirePayable(order);
    return providerCall(messages.paypalUnavailable, () =>
      captured ? paypal.report(paypalOrderId, observedAt) : paypal.capture(paypalOrderId, order, observedAt),
    );
  }

  /** The worker captures what is approved too; if it was first, PayPal has told it alone of a decline. */
  async function declinedMeanwhile({ id }: Order): Promise<PaypalCaptured | undefined> {
    const order = await findOrder(db, id);
    return order?.status === 'failed' ? { status: 'DECLINED' } : undefined;
  }

  async function learn(order: Order, report: PaymentReport, by: Cause['by'], request: string) {
    const money = report.facts.some((fact) => fact.kind === 'captured');
    if (money && report.metadata.orderId !== order.id) throw notThisOrders();
    const settled = await outbox.transaction(request, (trx) =>
      settleOrder(trx, order.id, report.facts, {
        by,
        paymentIntentId: report.paymentIntentId,
        requestId: request,
      }),
    );
    return settled?.status ?? order.status;
  }
}

function outcomeOf(facts: readonly PaymentFact[]): PaypalCaptured | undefined {
  if (facts.some((fact) => fact.kind === 'captured')) return { status: 'COMPLETED' };
  const attempt = facts.find((fact) => fact.kind === 'attempt');
  if (!attempt) return undefined;
  return { status: attempt.status === 'processing' ? 'PENDING' : 'DECLINED' };
}

function notThisOrders(): Conflict {
  return new Conflict('paypalOrderId: This payment belongs to another order');
}
