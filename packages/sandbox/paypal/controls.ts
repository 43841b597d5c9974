import express, { type RequestHandler, Router } from 'express';
import type { Webhooks } from '../webhooks.ts';
import { settleCapture } from './captures.ts';
import type { PayPalContext } from './context.ts';
import { disputeEnds, openDispute, provideEvidence, requireEvidence, resolveDispute } from './disputes.ts';
import { badRequest, PayPalApiError } from './errors.ts';
import { approveOrder, findOrder } from './orders.ts';
import { refundCapture, refundOutcomes, reverseCapture, settleRefund } from './refunds.ts';
import type { SigningKeys } from './signing-keys.ts';
import { disputeChannels } from './types.ts';

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
  const actions: Record<string, Action> = {
    '/orders/:id/approve': (id, { outcome = 'completed' }) =>
      approveOrder(ctx, id, oneOf(outcome, ['completed', 'pending', 'declined'])),
    '/captures/:id/complete': (id) => settleCapture(ctx, id, true),
    '/captures/:id/deny': (id) => settleCapture(ctx, id, false),
    '/captures/:id/refund': (id, request) => refundCapture(ctx, id, request),
    '/captures/:id/reverse': (id, request) => reverseCapture(ctx, id, request),
    '/captures/:id/dispute': (id, { reason, channel = 'INTERNAL' }) =>
      openDispute(ctx, id, {
        reason: typeof reason === 'string' ? reason : 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
        channel: oneOf(channel, disputeChannels),
      }),
    '/refunds/:id/settle': (id, { outcome }) => settleRefund(ctx, id, oneOf(outcome, refundOutcomes)),
    '/disputes/:id/provide_evidence': (id) => provideEvidence(ctx, id),
    '/disputes/:id/require_evidence': (id) => requireEvidence(ctx, id),
    '/disputes/:id/resolve': (id, { outcome, amount }) =>
      resolveDispute(ctx, id, oneOf(outcome, disputeEnds), amount),
  };
  for (const [address, act] of Object.entries(actions)) router.post(address, control(ctx, act));
  return router;
}

type Action = (id: string, request: Record<string, unknown>) => object;

function control(ctx: PayPalContext, act: Action): RequestHandler {
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
