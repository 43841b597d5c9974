import express, { type RequestHandler, Router } from 'express';
import type { Webhooks } from '../webhooks.ts';
import { settleCapture } from './captures.ts';
import type { PayPalContext } from './context.ts';
import { openDispute, resolveDispute } from './disputes.ts';
import { badRequest, PayPalApiError } from './errors.ts';
import { approveOrder, findOrder } from './orders.ts';
import { refundCapture, reverseCapture } from './refunds.ts';
import type { SigningKeys } from './signing-keys.ts';

/** `/paypal/sandbox`: the actions of buyers, banks and PayPal's dashboard. */
export function paypalControls(ctx: PayPalContext, webhooks: Webhooks, keys: SigningKeys): Router {
  const router = Router();
  router.use(express.json());
  router.get('/deliveries', (_req, res) => {
    res.json(webhooks.list('paypal').map(({ body: _body, ...delivery }) => delivery));
  });
  router.get('/root.pem', (_req, res) => {
    res.type('application/x-pem-file').send(keys.rootPem);
  });
  router.get(
    '/orders/:id',
    control(ctx, (id) => findOrder(ctx, id)),
  );
  router.post(
    '/orders/:id/approve',
    control(ctx, (id, request) => {
      const outcome = request.outcome === undefined ? 'completed' : request.outcome;
      return approveOrder(ctx, id, oneOf(outcome, ['completed', 'pending', 'declined']));
    }),
  );
  router.post(
    '/captures/:id/complete',
    control(ctx, (id) => settleCapture(ctx, id, true)),
  );
  router.post(
    '/captures/:id/deny',
    control(ctx, (id) => settleCapture(ctx, id, false)),
  );
  router.post(
    '/captures/:id/refund',
    control(ctx, (id, request) => refundCapture(ctx, id, request)),
  );
  router.post(
    '/captures/:id/reverse',
    control(ctx, (id, request) => reverseCapture(ctx, id, request)),
  );
  router.post(
    '/captures/:id/dispute',
    control(ctx, (id, request) => {
      return openDispute(
        ctx,
        id,
        typeof request.reason === 'string' ? request.reason : 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
      );
    }),
  );
  router.post(
    '/disputes/:id/resolve',
    control(ctx, (id, request) => {
      return resolveDispute(ctx, id, oneOf(request.outcome, ['won', 'lost']));
    }),
  );
  return router;
}

function control(
  ctx: PayPalContext,
  act: (id: string, request: Record<string, unknown>) => object,
): RequestHandler {
  return function paypalControl(req, res) {
    try {
      res.json(act(String(req.params.id), Object(req.body)));
      ctx.touch();
    } catch (error) {
      if (!(error instanceof PayPalApiError)) throw error;
      res.status(error.status).json(error.body);
    }
  };
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((item) => item === value);
  if (!found) throw badRequest('INVALID_PARAMETER_VALUE', { field: 'outcome', value: allowed.join(' | ') });
  return found;
}
