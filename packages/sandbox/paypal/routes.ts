import express, { Router } from 'express';
import type { SandboxConfig } from '../config.ts';
import type { Faults } from '../faults.ts';
import { type Exchange, type PayPalReply, paypalCalls } from './calls.ts';
import { captureOrder, minimalCapture, retrieveCapture } from './captures.ts';
import type { PayPalContext } from './context.ts';
import { listDisputes, showDispute } from './disputes.ts';
import { findEvent, listEvents, verifySignature } from './notifications.ts';
import { createOrder, findOrder, minimalOrder } from './orders.ts';
import { findRefund, minimalRefund, refundCapture, showOrder } from './refunds.ts';
import type { SigningKeys } from './signing-keys.ts';

export function paypalApi(
  config: SandboxConfig,
  ctx: PayPalContext,
  keys: SigningKeys,
  faults: Faults,
  exchanges: Exchange[],
): Router {
  const call = paypalCalls(config, ctx, faults, exchanges);
  const { webhooks } = ctx;
  const router = Router();
  router.use(express.text({ type: () => true, limit: '1mb' }));

  const orders = '/v2/checkout/orders';
  router.post(
    orders,
    call(({ body, requestId, wholeResource }) => {
      const order = createOrder(ctx, body, requestId);
      // With a payment source PayPal answers 200 instead of 201.
      return { status: order.payment_source ? 200 : 201, body: wholeResource ? order : minimalOrder(order) };
    }),
  );
  router.get(
    `${orders}/:id`,
    call(({ id }) => ok(showOrder(ctx, findOrder(ctx, id)))),
  );
  router.post(
    `${orders}/:id/capture`,
    call(({ id, wholeResource }) => {
      const order = captureOrder(ctx, id);
      return { status: 201, body: wholeResource ? order : minimalCapture(order) };
    }),
  );

  router.get(
    '/v2/payments/captures/:id',
    call(({ id }) => ok(retrieveCapture(ctx, id))),
  );
  router.post(
    '/v2/payments/captures/:id/refund',
    call(({ id, body, wholeResource }) => {
      const refund = refundCapture(ctx, id, body);
      return { status: 201, body: wholeResource ? refund : minimalRefund(refund) };
    }),
  );
  router.get(
    '/v2/payments/refunds/:id',
    call(({ id }) => ok(findRefund(ctx, id))),
  );
  router.get(
    '/v1/customer/disputes',
    call(({ query }) => ok(listDisputes(ctx, query))),
  );
  router.get(
    '/v1/customer/disputes/:id',
    call(({ id }) => ok(showDispute(ctx, id))),
  );

  const notifications = '/v1/notifications';
  router.post(
    `${notifications}/verify-webhook-signature`,
    call(({ body }) => verifySignature(config, keys, body)),
  );
  router.get(
    `${notifications}/webhooks`,
    call(() => ok({ webhooks: webhooks.list() })),
  );
  router.post(
    `${notifications}/webhooks`,
    call(({ body }) => ({ status: 201, body: webhooks.create(body) })),
  );
  router.get(
    `${notifications}/webhooks/:id`,
    call(({ id }) => ok(webhooks.find(id))),
  );
  router.delete(
    `${notifications}/webhooks/:id`,
    call(({ id }) => {
      webhooks.delete(id);
      return { status: 204 };
    }),
  );
  router.get(
    `${notifications}/webhooks-events`,
    call(({ query }) => listEvents(ctx, query)),
  );
  router.get(
    `${notifications}/webhooks-events/:id`,
    call(({ id }) => ok(findEvent(ctx, id))),
  );
  return router;
}

function ok(body: object): PayPalReply {
  return { status: 200, body };
}
