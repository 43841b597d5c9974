import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailsAbout, pay, placeOrder, post, untilStatus } from '../testing/buyer.ts';
import { atDesk } from '../testing/desk.ts';
import type { Process } from '../testing/processes.ts';
import { request } from '../testing/request.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { startBoth } from '../testing/shop-processes.ts';
import { deliverRaw, sign } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

// Web and worker of the built product at LOG_LEVEL=debug: what they write down of people, and of a request's way.

const canary = {
  name: 'Kanarienvogel Zitronengelb',
  email: 'kanarienvogel.zitronengelb@canary.example',
  subscriber: 'abonnent.zitronengelb@canary.example',
  message: 'Zwitscher-Nachricht: our database sings like a canary',
  card: '4000056655665556',
};

let shop: Shop;
let web: Process & { url: string };
let worker: Process;
beforeAll(async () => {
  shop = await startShop();
  ({ web, worker } = await startBoth(shop, { LOG_LEVEL: 'debug' }));
}, 60_000);
afterAll(async () => {
  await Promise.all([web.stop(), worker.stop()]);
  await shop.close();
});

const output = () => [web, worker].map((running) => running.output()).join('\n');

function expectNothingOf(person: Record<string, string>): void {
  const logs = output();
  for (const [what, text] of Object.entries(person)) {
    for (const form of [text, encodeURIComponent(text), text.split(/[ @:]/)[0] ?? text]) {
      expect(logs.includes(form), `the ${what} is in the logs: ${lineWith(logs, form)}`).toBe(false);
    }
  }
}

test('the logs of a purchase, a message, a subscription and many failures contain no personal data', async () => {
  const person = { customerName: canary.name, customerEmail: canary.email };
  shop.sandbox.faults.add({ target: 'smtp', mode: 'error', code: 550, match: canary.email, count: 1 });
  shop.sandbox.faults.add({ target: 'smtp', mode: 'error', code: 451, match: canary.subscriber, count: 1 });
  const order = await placeOrder(web, person);
  await pay(shop, order, 'pm_card_chargeDeclined');
  await pay(shop, order);
  await untilStatus(web, order.orderId, 'paid');

  const { name, email, message, card } = canary;
  expect((await post(web, '/api/contact', { name, email, message })).ok).toBe(true);
  await post(web, '/api/newsletter/subscribe', { email: canary.subscriber });
  // Refused, and with what should not be there.
  await post(web, '/api/contact', { name, email, message, card });
  await post(web, '/api/contact', `{"name":"${name}","email":"${email}", broken ${card}`);
  await post(web, '/api/create-payment-intent', { ...person, serviceId: 'audit', amount: 1, card });
  await request(`${web.url}/api/services?email=${encodeURIComponent(email)}&card=${card}`);
  await deliverRaw(shop, `{"email":"${email}"}`, { 'stripe-signature': sign('other') });
  await waitFor('a mail is refused', () => shop.db('emails').where({ status: 'refused' }).first('id'));
  shop.sandbox.faults.add({ target: 'stripe', mode: 'error', count: 6 });
  await post(web, '/api/create-payment-intent', { ...person, serviceId: 'audit', amount: 299_900 });
  shop.sandbox.faults.clear();
  await waitFor('the mails are sent or refused', async () => {
    const open = await shop
      .db('emails')
      .whereIn('status', ['queued', 'sending'])
      .whereNot({ kind: 'payment_failed' });
    return open.length === 0;
  });

  await waitFor('the refusal is logged', () => output().includes('e-mail refused'));
  expect(output()).toContain(`"orderId":"${order.orderId}"`);
  expectNothingOf(canary);
});

test('what staff do at the desk leaves no personal data in the logs', async () => {
  const { name, email } = canary;
  const { orderId } = await placeOrder(web, { customerName: name, customerEmail: email });
  const desk = await atDesk(web, 'person-operator', { fresh: true });
  const asked = () => ({ key: randomUUID(), reason: `Asked by ${name}`, email });
  for (const text of [email, name]) {
    const found = await desk.act('/api/desk/orders/list', { text });
    expect(await found.text()).toContain(orderId);
  }
  expect((await desk.show(orderId)).customerName).toBe(name);
  await desk.mustAct(orderId, { action: 'note', key: randomUUID(), reason: `${name} called` });
  const calls = {
    'orders/export': { filters: {}, key: randomUUID(), reason: `Asked by ${name}` },
    'person/export': asked(),
    'messages/list': { open: false },
    'person/erase': asked(),
    // Refused: invalid input is not logged either.
    'orders/list': { text: `${email}\u0000` },
  };
  const statuses = [];
  for (const [path, body] of Object.entries(calls)) {
    statuses.push((await desk.act(`/api/desk/${path}`, body)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 400]);
  expectNothingOf(canary);
});

test('every committed move of an order is one log line, with its cause and request id', async () => {
  const order = await placeOrder(web);
  await pay(shop, order);
  await untilStatus(web, order.orderId, 'paid');
  const moves = await waitFor('it is logged', () => {
    const found = lines().filter((line) => line.msg === 'order moved' && line.orderId === order.orderId);
    return found.length > 0 ? found : undefined;
  });
  expect(moves).toEqual([expect.objectContaining({ from: 'pending', to: 'paid', by: 'webhook' })]);
  const [row] = await shop.db('order_history').where({ order_id: order.orderId, to_status: 'paid' });
  expect(row.request_id).toBe(moves[0]?.requestId);
});

test('one request id connects the answer, API log, outbox, job log and mail', async () => {
  const answer = await post(web, '/api/contact', {
    name: 'Ada',
    email: 'ada@example.com',
    message: 'Hello there',
  });
  const id = answer.headers.get('x-request-id') ?? '';
  expect(id).toMatch(/^[0-9a-f-]{36}$/);

  const jobs = await shop.db('outbox').where({ request_id: id });
  expect(jobs.map(({ job }) => job)).toEqual(['send-email', 'send-email']);
  const mail = await waitFor('the mails came', async () => {
    const inbox = await (await fetch(`${shop.sandbox.url}/inbox/messages?to=ada@example.com`)).json();
    return inbox.find((one: { headers: Record<string, string> }) => one.headers['x-request-id'] === id);
  });
  expect(mail.to).toEqual(['ada@example.com']);
  expect(web.output()).toContain(`"requestId":"${id}"`);
  await waitFor('the job is logged', () => worker.output().includes(`"requestId":"${id}"`));
});

test('the mails of a purchase carry the id of the webhook that paid it', async () => {
  const order = await placeOrder(web);
  await pay(shop, order);
  const mails = await waitFor('both mails', async () => {
    const found = await mailsAbout(shop, order.orderId);
    return found.length === 2 ? found : undefined;
  });
  const [row] = await shop.db('order_history').where({ order_id: order.orderId, to_status: 'paid' });
  expect(mails.map((mail) => mail.headers['x-request-id'])).toEqual([row.request_id, row.request_id]);
});

test('the manual names every field that was logged', () => {
  const manual = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
  const section = manual.split('\n## Logs\n')[1]?.split('\n## ')[0] ?? '';
  const fields = new Set(lines().flatMap((line) => Object.keys(line)));
  expect(fields.size).toBeGreaterThan(20);
  expect([...fields].filter((field) => !section.includes(`\`${field}\``))).toEqual([]);
});

function lines(): { msg?: string; orderId?: string; requestId?: string }[] {
  const text = [web, worker].map((running) => running.output()).join('\n');
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

function lineWith(logs: string, text: string): string {
  return logs.split('\n').find((line) => line.includes(text)) ?? '';
}
