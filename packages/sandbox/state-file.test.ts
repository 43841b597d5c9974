import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSandbox } from './testing/sandbox.ts';
import { startWebhookReceiver } from './testing/webhook-receiver.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('keeps payments, e-mails and undelivered webhooks over a restart', async () => {
  const site = await startWebhookReceiver();
  const dataFile = join(folder, 'state', 'sandbox.json');
  const first = await startSandbox({ dataFile });
  const intent = await first.stripeClient.paymentIntents.create({ amount: 1000, currency: 'usd' });
  const mailer = createTransport({ host: '127.0.0.1', port: first.smtpPort });
  await mailer.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'kept', text: 'x' });
  await first.close();

  const second = await startSandbox({ dataFile, siteUrl: site.url });
  const paid = await second.stripeClient.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_visa',
  });
  expect(paid.status).toBe('succeeded');
  expect(await second.inbox.list()).toMatchObject([{ subject: 'kept' }]);
  await expect.poll(() => site.types(), { timeout: 3000 }).toContain('payment_intent.created');
  await second.close();
  await site.close();
});

test('moves an unreadable state file aside with a warning', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const dataFile = join(folder, 'sandbox.json');
  writeFileSync(dataFile, '{"stripe":');
  const sandbox = await startSandbox({ dataFile });
  expect(warn).toHaveBeenCalledOnce();
  expect((await sandbox.stripeClient.paymentIntents.list()).data).toEqual([]);
  await sandbox.close();
  warn.mockRestore();
});
