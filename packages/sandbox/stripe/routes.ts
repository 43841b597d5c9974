import express, { Router } from 'express';
import type Stripe from 'stripe';
import type { SandboxConfig } from '../config.ts';
import type { Faults } from '../faults.ts';
import { type StripeCall, stripeCalls } from './calls.ts';
import { confirmIntent } from './confirm.ts';
import type { StripeContext } from './context.ts';
import { findDispute, listedDispute } from './disputes.ts';
import { resourceMissing, StripeApiError } from './errors.ts';
import { listEvents } from './event-list.ts';
import { listPage, type StripeList } from './lists.ts';
import { optionalText, type Params } from './params.ts';
import { cancelIntent, createIntent, findIntent, retrieveIntent } from './payment-intents.ts';
import { createPaymentMethod } from './payment-methods.ts';
import { createRefund, findRefund } from './refunds.ts';
import { searchIntents } from './search.ts';

export function stripeApi(config: SandboxConfig, ctx: StripeContext, faults: Faults): Router {
  const { state, endpoints } = ctx;
  const call = stripeCalls(config, ctx, faults);
  const router = Router();
  router.options('/{*path}', (_req, res) => {
    res.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' });
    res.set('Access-Control-Allow-Methods', 'GET, POST, DELETE').status(204).end();
  });
  router.use(express.urlencoded({ extended: true, limit: '1mb' }));

  router.post(
    '/payment_intents',
    call(({ params, cause }) => createIntent(ctx, params, cause)),
  );
  router.get(
    '/payment_intents',
    call(({ params }) => listPage('/v1/payment_intents', state.paymentIntents, params)),
  );
  router.get(
    '/payment_intents/search',
    call(({ params }) => searchIntents(state, params)),
  );
  router.get(
    '/payment_intents/:id',
    call((request) => retrieveIntent(ctx, intentOf(request)), 'publishable too'),
  );
  router.post(
    '/payment_intents/:id/confirm',
    call(
      (request) => confirmIntent(ctx, intentOf(request), request.params, request.cause),
      'publishable too',
    ),
  );
  router.post(
    '/payment_intents/:id/cancel',
    call(({ id, params, cause }) => cancelIntent(ctx, id, params, cause)),
  );

  router.post(
    '/payment_methods',
    call(({ params }) => createPaymentMethod(state, params), 'publishable too'),
  );

  router.get(
    '/charges',
    call(({ params }) => ofPayment('/v1/charges', state.charges, params)),
  );
  router.get(
    '/charges/:id',
    call(({ id }) => found(state.charges, 'charge', id)),
  );

  router.post(
    '/refunds',
    call(({ params, cause }) => createRefund(ctx, params, cause)),
  );
  router.get(
    '/refunds',
    call(({ params }) => ofPayment('/v1/refunds', state.refunds, params)),
  );
  router.get(
    '/refunds/:id',
    call(({ id }) => findRefund(state, id)),
  );

  router.get(
    '/disputes',
    call(({ params }) => {
      const list = ofPayment('/v1/disputes', state.disputes, params);
      return { ...list, data: list.data.map((dispute) => listedDispute(ctx, dispute)) };
    }),
  );
  router.get(
    '/disputes/:id',
    call(({ id }) => findDispute(state, id)),
  );

  router.get(
    '/events',
    call(({ params }) => listEvents(ctx, params)),
  );
  router.get(
    '/events/:id',
    call(({ id }) => ctx.events.show(found(state.events, 'event', id))),
  );

  router.get(
    '/webhook_endpoints',
    call(({ params }) => endpoints.list(params)),
  );
  router.post(
    '/webhook_endpoints',
    call(({ params }) => endpoints.create(params)),
  );
  router.get(
    '/webhook_endpoints/:id',
    call(({ id }) => endpoints.find(id)),
  );
  router.post(
    '/webhook_endpoints/:id',
    call(({ id, params }) => endpoints.update(id, params)),
  );
  router.delete(
    '/webhook_endpoints/:id',
    call(({ id }) => endpoints.delete(id)),
  );

  router.use(
    call(() => {
      throw new StripeApiError(404, {
        type: 'invalid_request_error',
        message:
          'Unrecognized request URL. Please see https://stripe.com/docs or we can help at https://support.stripe.com/.',
      });
    }, 'publishable too'),
  );
  return router;

  function intentOf(request: StripeCall): Stripe.PaymentIntent {
    const intent = findIntent(state, request.id);
    if (request.isPublic && request.clientSecret !== intent.client_secret) {
      throw resourceMissing('payment_intent', request.id, 'intent');
    }
    return intent;
  }
}

function found<T>(objects: Map<string, T>, kind: string, id: string): T {
  const object = objects.get(id);
  if (!object) throw resourceMissing(kind, id);
  return object;
}

interface OfPayment {
  id: string;
  created: number;
  charge?: unknown;
  payment_intent?: unknown;
}

function ofPayment<T extends OfPayment>(url: string, objects: Map<string, T>, params: Params): StripeList<T> {
  const charge = optionalText(params, 'charge');
  const intent = optionalText(params, 'payment_intent');
  return listPage(url, objects, params, (object) => {
    return (!charge || object.charge === charge) && (!intent || object.payment_intent === intent);
  });
}
