import type { SandboxConfig } from './config.ts';
import { escapeHtml, htmlPage } from './html.ts';

const cards: [string, string][] = [
  ['4242 4242 4242 4242', 'succeeds'],
  ['4000 0025 0000 3155', 'asks for 3-D Secure first'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'is declined: insufficient funds'],
  ['4000 0000 0000 0259', 'succeeds and is disputed'],
  ['4000 0000 0000 1976', 'succeeds, and the bank asks about it: an inquiry'],
];

const calls: [string, string][] = [
  ['GET /inbox/messages?to=', 'mails as JSON, newest first; DELETE empties the inbox'],
  [
    'POST /stripe/v1/payment_intents/{id}/confirm',
    'pay, for example with payment_method=pm_card_visa (form-encoded)',
  ],
  ['POST /stripe/v1/refunds', 'refund, as the dashboard does'],
  ['POST /stripe/sandbox/charges/{id}/dispute', 'open a dispute'],
  ['POST /stripe/sandbox/disputes/{id}/close', '{"outcome":"won"|"lost"}'],
  [
    'POST /stripe/sandbox/payment_intents/{id}/settle',
    '{"outcome":"succeeded"|"failed"} for one that is processing',
  ],
  ['POST /stripe/sandbox/refunds/{id}/settle', '{"outcome":"succeeded"|"failed"|"canceled"}'],
  ['GET /stripe/sandbox/deliveries', 'webhooks sent, with every attempt'],
  [
    'POST /paypal/sandbox/orders/{id}/approve',
    'approve in the buyer\'s place; {"outcome":"completed"|"pending"|"declined"} of the later capture',
  ],
  [
    'POST /paypal/sandbox/captures/{id}/refund',
    '{"amount":{…}} or all; also …/reverse, and …/complete or …/deny for a pending one',
  ],
  [
    'POST /paypal/sandbox/captures/{id}/dispute',
    'open a case; then /paypal/sandbox/disputes/{id}/resolve {"outcome":"won"|"lost"}',
  ],
  ['GET /paypal/sandbox/root.pem', 'the authority whose certificate signs the PayPal webhooks'],
  ['GET /paypal/sandbox/deliveries', 'PayPal webhooks sent'],
  ['GET /oidc/.well-known/openid-configuration', 'the sign-in provider, with its test people'],
  [
    'POST /faults',
    '{"target":"stripe|paypal|smtp|webhooks","mode":"error|timeout|slow|duplicate|reorder|drop","count":1,"ms":500}',
  ],
  ['DELETE /faults', 'remove all faults'],
  [
    'POST /behaviors',
    '{"name":"stripe-pending-refund","value":"failed","count":1}; GET /behaviors/catalogue lists them; DELETE removes all',
  ],
];

export function indexPage(config: SandboxConfig, smtpPort: number): string {
  return htmlPage(
    'Sandbox',
    `<h1>Sandbox</h1>
    <p>A local stand-in for the outside world of <a href="${escapeHtml(config.siteUrl)}">${escapeHtml(config.siteUrl)}</a>:
    nothing here moves money or sends mail. SMTP listens on port ${smtpPort}.</p>
    <p><a href="/inbox">Inbox</a> · <a href="/emails/">E-mails with sample data</a> · <a href="/stripe/sandbox/deliveries">Stripe webhooks</a> · <a href="/paypal/sandbox/deliveries">PayPal webhooks</a> · <a href="/faults">Faults in force</a></p>
    <h2>Test cards</h2>
    <p class="muted">Any future date, any CVC.</p>${table(cards)}
    <h2>Calls</h2>${table(calls)}`,
  );
}

function table(rows: [string, string][]): string {
  const cells = rows.map(
    ([a, b]) => `<tr><td><code>${escapeHtml(a)}</code></td><td>${escapeHtml(b)}</td></tr>`,
  );
  return `<table><tbody>${cells.join('')}</tbody></table>`;
}
