import express, { Router } from 'express';
import type Stripe from 'stripe';
import { escapeHtml, htmlPage } from '../html.ts';
import { finishAuthentication } from './confirm.ts';
import type { StripeContext } from './context.ts';

/** `/stripe/authenticate/{intent}`: the bank's 3-D Secure page. */
export function authenticationPages(ctx: StripeContext): Router {
  const router = Router();
  router.get('/:id', (req, res) => {
    const intent = intentOf(ctx, req.params.id, req.query.client_secret);
    if (!intent) return void res.status(404).send(htmlPage('Not found', '<h1>No such payment</h1>'));
    const returnUrl = returnAddress(req.query.return_url);
    if (intent.status !== 'requires_action' && returnUrl) return res.redirect(303, backTo(returnUrl, intent));
    res.send(challengePage(intent, returnUrl));
  });
  router.post('/:id', express.urlencoded({ extended: false }), (req, res) => {
    const body = Object(req.body);
    const intent = intentOf(ctx, req.params.id, body.client_secret);
    if (!intent) return void res.status(404).send(htmlPage('Not found', '<h1>No such payment</h1>'));
    finishAuthentication(ctx, intent, body.outcome === 'complete');
    ctx.touch();
    const returnUrl = returnAddress(body.return_url);
    if (returnUrl) return res.redirect(303, backTo(returnUrl, intent));
    res.send(htmlPage('Done', '<h1>Done</h1><p>You can close this window.</p>'));
  });
  return router;
}

/** The return address with Stripe's parameters: the intent, its secret and the outcome. */
function backTo(returnUrl: string, intent: Stripe.PaymentIntent): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', intent.id);
  url.searchParams.set('payment_intent_client_secret', intent.client_secret ?? '');
  const failed = intent.status === 'requires_payment_method' || intent.status === 'canceled';
  url.searchParams.set('redirect_status', failed ? 'failed' : 'succeeded');
  return url.href;
}

function intentOf(ctx: StripeContext, id: string, secret: unknown): Stripe.PaymentIntent | undefined {
  const intent = ctx.state.paymentIntents.get(id);
  return intent && intent.client_secret === secret ? intent : undefined;
}

function returnAddress(text: unknown): string | undefined {
  return typeof text === 'string' && /^https?:/.test(text) && URL.canParse(text) ? text : undefined;
}

function challengePage(intent: Stripe.PaymentIntent, returnUrl: string | undefined): string {
  const hidden = (name: string, value: string) =>
    `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
  return htmlPage(
    '3-D Secure',
    `<form class="card" method="post">
      <h1>3D Secure 2 test page</h1>
      <p>Your bank would now ask you to confirm <strong>$${(intent.amount / 100).toFixed(2)}</strong>.</p>
      ${hidden('client_secret', intent.client_secret ?? '')}${returnUrl ? hidden('return_url', returnUrl) : ''}
      <p class="row"><button name="outcome" value="complete">Complete</button>
      <button class="quiet" name="outcome" value="fail">Fail</button></p>
    </form>`,
  );
}
