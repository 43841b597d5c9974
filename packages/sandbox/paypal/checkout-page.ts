import express, { Router } from 'express';
import type { SandboxConfig } from '../config.ts';
import { escapeHtml, htmlPage } from '../html.ts';
import { isClientTokenValid } from './access.ts';
import type { PayPalContext } from './context.ts';
import { approveOrder, buyer } from './orders.ts';
import type { CaptureOutcome } from './state.ts';
import type { PayPalOrder } from './types.ts';

const OUTCOMES: CaptureOutcome[] = ['completed', 'pending', 'declined'];

/** `/paypal/checkoutnow`: PayPal's window, where the buyer approves or cancels. */
export function checkoutPages(config: SandboxConfig, ctx: PayPalContext): Router {
  const router = Router();
  router.get('/', (req, res) => {
    const { token, shop, client } = req.query;
    if (client !== undefined && !isClientTokenValid(config, String(client)))
      return void res.send(expiredPage(originOf(shop)));
    const order = ctx.state.orders.get(String(token));
    if (!order) return void res.status(404).send(htmlPage('PayPal', '<h1>We do not know this order</h1>'));
    res.send(approvalPage(order, originOf(shop)));
  });
  router.post('/', express.urlencoded({ extended: false }), (req, res) => {
    const { token, answer, outcome, shop } = Object(req.body);
    const order = ctx.state.orders.get(String(token));
    if (!order) return void res.status(404).send(htmlPage('PayPal', '<h1>We do not know this order</h1>'));
    const approved = answer === 'approve';
    if (approved && order.status !== 'COMPLETED') {
      approveOrder(ctx, order.id, OUTCOMES.find((known) => known === outcome) ?? 'completed');
      ctx.touch();
    }
    res.send(answerPage(order, approved, originOf(shop), returnAddress(ctx, order.id, approved)));
  });
  return router;
}

function returnAddress(ctx: PayPalContext, orderId: string, approved: boolean): string {
  const { returnUrl, cancelUrl } = ctx.state.returnUrls.get(orderId) ?? {};
  const target = approved ? returnUrl : cancelUrl;
  if (!target || !URL.canParse(target)) return '';
  const url = new URL(target);
  url.searchParams.set('token', orderId);
  if (approved) url.searchParams.set('PayerID', buyer.payer_id);
  return url.href;
}

/** The origin of the page that opened the window; only that page receives the outcome. */
function originOf(shop: unknown): string {
  return typeof shop === 'string' && /^https?:/.test(shop) && URL.canParse(shop) ? new URL(shop).origin : '';
}

function approvalPage(order: PayPalOrder, shopOrigin: string): string {
  const [unit] = order.purchase_units;
  const { currency_code: currency, value } = unit.amount;
  return htmlPage(
    'PayPal',
    `<form class="card" method="post" action="/paypal/checkoutnow">
      <h1>Pay with PayPal</h1>
      <p>Signed in as ${escapeHtml(buyer.email_address)} (a test buyer).</p>
      <p><strong>${escapeHtml(currency)} ${escapeHtml(value)}</strong>${unit.description ? ` for ${escapeHtml(unit.description)}` : ''}</p>
      <input type="hidden" name="token" value="${escapeHtml(order.id)}">
      <input type="hidden" name="shop" value="${escapeHtml(shopOrigin)}">
      <p><label>When captured, the payment
        <select name="outcome"><option value="completed">succeeds</option>
        <option value="pending">stays pending for review</option><option value="declined">is declined</option></select></label></p>
      <p class="row"><button name="answer" value="approve">Pay now</button>
      <button class="quiet" name="answer" value="cancel">Cancel and return</button></p>
    </form>`,
  );
}

/** Reports the outcome to the page that opened the window, or else returns to the shop. */
function answerPage(order: PayPalOrder, approved: boolean, shopOrigin: string, returnTo: string): string {
  const kind = approved ? 'approved' : 'canceled';
  const data = { kind, orderId: order.id, payerId: buyer.payer_id, shopOrigin, returnTo };
  return reportPage(approved ? 'Approved' : 'Canceled', data);
}

function expiredPage(shopOrigin: string): string {
  return reportPage('This session has expired', { kind: 'expired', shopOrigin, returnTo: '' });
}

function reportPage(title: string, data: Record<string, string>): string {
  const attributes = Object.entries(data).map(([name, text]) => {
    return `data-${name.replaceAll(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}="${escapeHtml(text)}"`;
  });
  return htmlPage(
    'PayPal',
    `<h1>${title}</h1><p>You can close this window.</p>
    <script src="/paypal/web-sdk/v6/window.js" ${attributes.join(' ')}></script>`,
  );
}
