import express, { type RequestHandler, Router } from 'express';
import type Stripe from 'stripe';
import type { Webhooks } from '../webhooks.ts';
import type { StripeContext } from './context.ts';
import {
  closeDispute,
  disputeOutcomes,
  escalateInquiry,
  offerAppeal,
  openDispute,
  returnDebit,
  submitEvidence,
} from './disputes.ts';
import { parameterInvalid, resourceMissing, StripeApiError } from './errors.ts';
import { findIntent, payElsewhere } from './payment-intents.ts';
import { closedReasons, closeReview, openReview, payOut, warnOfFraud } from './radar.ts';
import { refundOutcomes, settleRefund } from './refunds.ts';
import { settleProcessing, verifyMicrodeposits } from './slow-methods.ts';

/** `/stripe/sandbox`: the actions of buyers and banks. */
export function stripeControls(ctx: StripeContext, webhooks: Webhooks): Router {
  const router = Router();
  router.use(express.json());
  router.get('/deliveries', (_req, res) => {
    res.json(webhooks.list('stripe').map(({ body: _body, ...delivery }) => delivery));
  });
  const actions: Record<string, Action> = {
    '/charges/:id/dispute': (id, { reason, inquiry, ofAll, dueInDays }) =>
      openDispute(ctx, findCharge(id), typeof reason === 'string' ? reason : 'fraudulent', {
        isInquiry: inquiry === true,
        ofAll: ofAll === true,
        ...(typeof dueInDays === 'number' && { dueInDays }),
      }),
    '/charges/:id/return': (id, { reason }) =>
      returnDebit(ctx, findCharge(id), typeof reason === 'string' ? reason : 'insufficient_funds'),
    '/charges/:id/early_fraud_warning': (id) => warnOfFraud(ctx, findCharge(id)),
    '/charges/:id/review': (id) => openReview(ctx, findCharge(id)),
    '/reviews/:id/close': (id, { reason }) => closeReview(ctx, id, oneOf(reason, closedReasons, 'reason')),
    '/disputes/:id/submit_evidence': (id) => submitEvidence(ctx, id),
    '/disputes/:id/close': (id, { outcome, returned }) =>
      closeDispute(ctx, id, oneOf(outcome, disputeOutcomes, 'outcome'), Number(returned ?? 0)),
    '/disputes/:id/escalate': (id) => escalateInquiry(ctx, id),
    '/disputes/:id/appeal': (id) => offerAppeal(ctx, id),
    '/refunds/:id/fail': (id) => settleRefund(ctx, id, 'failed'),
    '/refunds/:id/settle': (id, { outcome }) =>
      settleRefund(ctx, id, oneOf(outcome, refundOutcomes, 'outcome')),
    '/payment_intents/:id/settle': (id, { outcome }) => {
      const intent = findIntent(ctx.state, id);
      settleProcessing(ctx, intent, oneOf(outcome, ['succeeded', 'failed'], 'outcome') === 'succeeded');
      return intent;
    },
    '/payment_intents/:id/verify_microdeposits': (id, { outcome }) => {
      const intent = findIntent(ctx.state, id);
      verifyMicrodeposits(ctx, intent, oneOf(outcome, ['verified', 'failed'], 'outcome') === 'verified');
      return intent;
    },
    '/other_payments': () => payElsewhere(ctx),
    '/payouts': (_id, { status }) => payOut(ctx, 100_000, oneOf(status, ['paid', 'failed'], 'status')),
    '/thin_events': (_id, { type }) => {
      ctx.events.emitThin(String(type));
      return { type };
    },
  };
  for (const [address, act] of Object.entries(actions)) router.post(address, control(ctx, act));
  return router;

  function findCharge(id: string): Stripe.Charge {
    const charge = ctx.state.charges.get(id);
    if (!charge) throw resourceMissing('charge', id);
    return charge;
  }
}

type Action = (id: string, request: Record<string, unknown>) => object;

function control(ctx: StripeContext, act: Action): RequestHandler {
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

function oneOf<T extends string>(value: unknown, allowed: readonly T[], param: string): T {
  const found = allowed.find((item) => item === value);
  if (!found) throw parameterInvalid(param, `${param} must be one of ${allowed.join(', ')}`);
  return found;
}
