import { expect, test } from 'vitest';
import { mailsAbout, pay, placeOrder } from '../testing/buyer.ts';
import { runOps } from '../testing/operator.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

test('lists a refused e-mail with its reason, and sends it again on request', async () => {
  shop.sandbox.faults.add({ target: 'smtp', mode: 'error', code: 550, match: 'ada@example.com' });
  const order = await placeOrder(shop);
  await pay(shop, order);
  const [refused] = await waitFor('the mail is refused', async () => {
    const failed = JSON.parse((await runOps(shop, ['emails', 'failed', '--json'])).out);
    return failed.length === 1 ? failed : undefined;
  });
  expect(refused).toMatchObject({ kind: 'order_confirmation', dedupeKey: order.orderId, status: 'refused' });
  expect((await runOps(shop, ['emails', 'failed'])).out).toContain('550');

  shop.sandbox.faults.clear();
  expect(await runOps(shop, ['emails', 'resend', refused.id])).toMatchObject({ code: 1 });
  expect(await runOps(shop, ['emails', 'resend', refused.id], 'yes')).toMatchObject({ code: 0 });
  await waitFor('the buyer has it', async () => (await toBuyer(order.orderId)).length === 1);
  await waitFor(
    'none failed',
    async () => (await runOps(shop, ['emails', 'failed'])).out === 'No failed e-mails',
  );
}, 60_000);

test('sends an e-mail again as a message with a new id', async () => {
  const { order, sent } = await sendConfirmation();
  for (const copies of [2, 3]) {
    expect(await runOps(shop, ['emails', 'resend', sent.id, '--yes'])).toMatchObject({ code: 0 });
    await waitFor(`${copies} copies`, async () => (await toBuyer(order.orderId)).length === copies);
    await waitFor('marked', () => shop.db('emails').where({ id: sent.id, status: 'sent' }).first());
  }
  const ids = (await toBuyer(order.orderId)).map((mail) => mail.headers['message-id']);
  expect(new Set(ids).size).toBe(3);
}, 60_000);

test('sends an e-mail again although the job that sent it has not ended yet', async () => {
  const { order, sent } = await sendConfirmation();
  const job = () => shop.db('outbox').whereRaw(`job = 'send-email' and payload->>'emailId' = ?`, [sent.id]);
  await waitFor('its job is done', () => job().where({ status: 'done' }).first());
  await job().update({ status: 'open', due_at: new Date(Date.now() + 10_000) });
  const { id } = await job().first('id');

  expect(await runOps(shop, ['emails', 'resend', sent.id, '--yes'])).toMatchObject({ code: 0 });
  await shop.db('outbox').where({ id }).update({ status: 'done' });
  await waitFor('it comes again', async () => (await toBuyer(order.orderId)).length === 2);
});

test('ends a refused e-mail with a reason, once', async () => {
  const [{ id }] = await shop
    .db('emails')
    .insert({ kind: 'order_confirmation', dedupe_key: crypto.randomUUID(), status: 'refused' })
    .returning('id');
  const dismissal = ['emails', 'dismiss', id, '--reason', 'called the buyer', '--yes'];
  expect(await runOps(shop, [...dismissal.slice(0, 3), '--yes'])).toMatchObject({ code: 1 });
  expect(await runOps(shop, dismissal.slice(0, -1))).toMatchObject({
    code: 1,
    err: expect.stringContaining('Pass --yes to confirm.'),
  });
  expect(await runOps(shop, dismissal)).toMatchObject({ code: 0, out: 'Dismissed' });
  expect(await shop.db('emails').where({ id }).first()).toMatchObject({
    status: 'dropped',
    last_error: 'dismissed: called the buyer',
  });
  expect(await runOps(shop, dismissal)).toMatchObject({ code: 1 });
});

test('refuses to send an e-mail that does not exist', async () => {
  expect(await runOps(shop, ['emails', 'resend', '424242', '--yes'])).toMatchObject({
    code: 1,
    err: 'E-mail 424242 not found',
  });
});

async function toBuyer(orderId: string) {
  return (await mailsAbout(shop, orderId)).filter((mail) => mail.to.includes('ada@example.com'));
}

async function sendConfirmation() {
  const order = await placeOrder(shop);
  await pay(shop, order);
  const sent = await waitFor('it is sent', () =>
    shop.db('emails').where({ kind: 'order_confirmation', order_id: order.orderId, status: 'sent' }).first(),
  );
  return { order, sent };
}
