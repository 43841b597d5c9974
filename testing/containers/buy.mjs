// Buys by card and waits until the orders are paid and both e-mails are in the inbox. Arguments: site, Host, Stripe's key,
// and optionally a file: then there is a visitor and an order every ten seconds until the file exists, and one more. Failed
// requests are retried, as by browsers, and counted.
import { existsSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const [site, host, key, enough] = process.argv.slice(2);
const sandbox = 'http://127.0.0.1:3100';
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${key}` };
const TRIES = 300;
let refused = 0;
let longestMs = 0;

const orders = [];
do {
  orders.push(await buy());
  for (let visit = 0; enough && visit < 50 && !existsSync(enough); visit++) await insist('/api/services');
} while (enough && !existsSync(enough));
if (enough) orders.push(await buy());
const unpaid = await allBut(async (id) => (await ask(`${site}/api/orders/${id}`)).status === 'paid');
const unmailed = await allBut(async (id) => {
  const mails = await ask(`${sandbox}/inbox/messages`);
  return mails.filter((mail) => JSON.stringify(mail).includes(id)).length >= 2;
});
console.info(JSON.stringify({ orders: orders.length, unpaid, unmailed, refused, longestMs }));
process.exit(unpaid.length + unmailed.length === 0 ? 0 : 1);

async function buy() {
  const [{ id: serviceId, price: amount }] = await insist('/api/services');
  const buyer = { customerName: 'Ada Lovelace', customerEmail: `ada.${crypto.randomUUID()}@example.com` };
  const order = await insist('/api/create-payment-intent', JSON.stringify({ serviceId, amount, ...buyer }), {
    ...json,
    'idempotency-key': crypto.randomUUID(),
  });
  const [paymentIntentId] = order.clientSecret.split('_secret');
  const confirm = `${sandbox}/stripe/v1/payment_intents/${paymentIntentId}/confirm`;
  await ask(confirm, 'payment_method=pm_card_visa', form);
  await insist('/api/confirm-payment', JSON.stringify({ orderId: order.orderId, paymentIntentId }), json);
  return order.orderId;
}

async function insist(path, body, headers) {
  const started = Date.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(`${site}${path}`, body, headers);
    } catch (error) {
      if (attempt === TRIES) throw error;
      refused += 1;
    } finally {
      longestMs = Math.max(longestMs, Date.now() - started);
      await sleep(200);
    }
  }
}

async function allBut(isDone) {
  const left = [];
  for (const id of orders) {
    let tries = TRIES;
    while (tries > 0 && !(await isDone(id).catch(() => false))) {
      tries -= 1;
      await sleep(200);
    }
    if (tries === 0) left.push(id);
  }
  return left;
}

function ask(url, body, headers = {}) {
  const options = {
    method: body ? 'POST' : 'GET',
    headers: url.startsWith(site) ? { ...headers, host } : headers,
    rejectUnauthorized: false,
    servername: host,
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? https : http).request(url, options, (answer) => {
      let text = '';
      answer.on('data', (part) => {
        text += part;
      });
      answer.on('end', () => {
        if (answer.statusCode < 300) resolve(JSON.parse(text));
        else reject(new Error(`${url} ${answer.statusCode} ${text.slice(0, 300)}`));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
