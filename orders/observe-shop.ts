import { readAttention, readSilence } from '../db/attention.ts';
import type { OrderParts } from './parts.ts';

/** What core/concerns.ts judges: the source of the reminders and of the desk. */
export async function observeShop({ db, gateways }: Pick<OrderParts, 'db' | 'gateways'>) {
  const [attention, silence] = await Promise.all([readAttention(db), readSilence(db)]);
  // An endpoint that is off is silent on purpose.
  const paidWithoutWebhook = silence.paidWithoutWebhook.filter(
    ({ provider }) => gateways[provider].webhook.isConfigured,
  );
  return { ...attention, ...silence, paidWithoutWebhook };
}
