import { hasDesk } from '../core/staff.ts';
import { readAttention, readSilence } from '../db/attention.ts';
import type { Config } from '../infra/config.ts';
import type { OrderParts } from './parts.ts';

export type ObservedParts = Pick<OrderParts, 'db' | 'gateways'> & { config: Pick<Config, 'staff'> };

/** Collects what core/concerns.ts judges, for the reminders and the desk. */
export async function observeShop({ db, gateways, config }: ObservedParts) {
  const [attention, silence] = await Promise.all([readAttention(db), readSilence(db)]);
  // Without a desk no one can mark a message as answered.
  const messages = hasDesk(config.staff) ? {} : { messages: 0, messagesSince: null };
  // A disabled endpoint is silent on purpose.
  const paidWithoutWebhook = silence.paidWithoutWebhook.filter(
    ({ provider }) => gateways[provider].webhook.isConfigured,
  );
  return { ...attention, ...silence, ...messages, paidWithoutWebhook };
}
