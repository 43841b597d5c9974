import type { Shop } from '../shop.ts';
import type { LedgerDispute, LedgerPayment } from './ledger.ts';
import type { Model } from './model.ts';
import { control, refresh } from './world.ts';

// How money goes back: by staff in the provider's dashboard, or by the buyer's bank.

type Providers = Pick<Shop, 'sandbox'>;

/** Cents of the payment, or all of it. `pending`: until a control call, or for a time. */
export async function refund(
  model: Model,
  shop: Providers,
  payment: LedgerPayment | undefined,
  cents: number,
  pending: boolean | { outcome: number; ms: number },
): Promise<void> {
  if (!payment?.captureId) return;
  const { behaviors, stripeClient } = shop.sandbox;
  const isAll = cents === model.price;
  if (pending) behaviors.add(pendingRefund(payment, payment.captureId, pending));
  if (payment.provider === 'stripe') {
    const made = await stripeClient.refunds
      .create({ payment_intent: payment.id, ...(isAll ? {} : { amount: cents }) })
      .catch(() => undefined);
    if (made) model.foreignRefunds.add(made.id);
    return;
  }
  const amount = { currency_code: 'USD', value: (cents / 100).toFixed(2) };
  const made = await control(shop, `/paypal/sandbox/captures/${payment.captureId}/refund`, {
    ...(isAll ? {} : { amount }),
  });
  if (made) model.foreignRefunds.add(String(made.id));
}

const pendingOutcomes = {
  stripe: ['succeeded', 'failed', 'canceled'],
  paypal: ['completed', 'failed', 'cancelled'],
} as const;

function pendingRefund(
  { provider }: LedgerPayment,
  match: string,
  pending: true | { outcome: number; ms: number },
) {
  const name =
    provider === 'stripe' ? ('stripe-pending-refund' as const) : ('paypal-pending-refund' as const);
  if (pending === true) return { name, count: 1, match };
  const values = pendingOutcomes[provider];
  return {
    name,
    count: 1,
    match,
    value: values[pending.outcome % values.length] ?? values[0],
    ms: pending.ms,
  };
}

export function openDispute(shop: Providers, payment: LedgerPayment | undefined, inquiry: boolean) {
  const { provider, captureId } = payment ?? {};
  const path = provider === 'stripe' ? 'stripe/sandbox/charges' : 'paypal/sandbox/captures';
  return control(shop, `/${path}/${captureId}/dispute`, { inquiry });
}

export function submitEvidence(shop: Providers, { id = '' }: Partial<LedgerDispute> = {}) {
  const isStripe = id.startsWith('dp_');
  const [provider, action] = isStripe ? ['stripe', 'submit_evidence'] : ['paypal', 'provide_evidence'];
  return control(shop, `/${provider}/sandbox/disputes/${id}/${action}`);
}

export function askForEvidence(shop: Providers, { id = '' }: Partial<LedgerDispute> = {}) {
  const [provider, action] = id.startsWith('dp_') ? ['stripe', 'appeal'] : ['paypal', 'require_evidence'];
  return control(shop, `/${provider}/sandbox/disputes/${id}/${action}`);
}

export async function closeDispute(
  model: Model,
  shop: Providers,
  dispute: LedgerDispute | undefined,
  outcome: 'won' | 'lost',
  booked: boolean,
): Promise<void> {
  const { id = '', outcome: before } = dispute ?? {};
  if (id.startsWith('dp_')) {
    if (outcome === 'lost') await control(shop, `/stripe/sandbox/disputes/${id}/escalate`);
    await control(shop, `/stripe/sandbox/disputes/${id}/close`, { outcome });
    return;
  }
  // Both sides can appeal. A loss that was not booked, or was a refund, has no reversal to cancel.
  if (
    before === outcome ||
    (before === 'lost' && !shop.sandbox.paypal.context.state.reversalOfDispute.has(id))
  )
    return;
  if (!booked && outcome === 'lost') {
    shop.sandbox.behaviors.add({ name: 'paypal-unbooked-dispute', count: 1, match: id });
    model.unbooked.add(id);
  }
  const known = new Set(model.payments.flatMap(({ refunds }) => refunds.map((each) => each.id)));
  await control(shop, `/paypal/sandbox/disputes/${id}/resolve`, { outcome });
  refresh(model, shop);
  // Reversals are PayPal's own.
  for (const { provider, refunds } of model.payments) {
    if (provider !== 'paypal') continue;
    for (const made of refunds) if (!known.has(made.id)) model.foreignRefunds.add(made.id);
  }
}
