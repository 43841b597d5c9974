import express, { type RequestHandler, Router } from 'express';
import type { Webhooks } from '../webhooks.ts';
import { settleProcessing } from './confirm.ts';
import type { StripeContext } from './context.ts';
import { closeDispute, openDispute } from './disputes.ts';
import { parameterInvalid, resourceMissing, StripeApiError } from './errors.ts';
import { findIntent } from './payment-intents.ts';
import { failRefund } from './refunds.ts';

/** `/stripe/sandbox`: the actions of buyers and banks. */
export function stripeControls(ctx: StripeContext, webhooks: Webhooks): Router {
  const router = Router();
  router.use(express.json());
  router.get('/deliveries', (_req, res) => {
    res.json(webhooks.list('stripe').map(({ body: _body, ...delivery }) => delivery));
  });
  router.post(
    '/charges/:id/dispute',
    control(ctx, (id, request) => {
      const charge = ctx.state.charges.get(id);
      if (!charge) throw resourceMissing('charge', id);
      return openDispute(ctx, charge, typeof request.reason === 'string' ? request.reason : 'fraudulent');
    }),
  );
  router.post(
    '/disputes/:id/close',
    control(ctx, (id, request) => closeDispute(ctx, id, oneOf(request.outcome, ['won', 'lost']))),
  );
  router.post(
    '/refunds/:id/fail',
    control(ctx, (id) => failRefund(ctx, id)),
  );
  router.post(
    '/payment_intents/:id/settle',
    control(ctx, (id, request) => {
      const intent = findIntent(ctx.state, id);
      settleProcessing(ctx, intent, oneOf(request.outcome, ['succeeded', 'failed']) === 'succeeded');
      return intent;
    }),
  );
  return router;
}

function control(
  ctx: StripeContext,
  act: (id: string, request: Record<string, unknown>) => object,
): RequestHandler {
  return function stripeControl(req, res) {
    try {
      res.json(act(String(req.params.id), Object(req.body)));
      ctx.touch();
    } catch (error) {
      if (!(error instanceof StripeApiError)) throw error;
      res.status(error.status).json(error.body());
    }
  };
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((item) => item === value);
  if (!found) throw parameterInvalid('outcome', `outcome must be one of ${allowed.join(', ')}`);
  return found;
}
