import type { Stripe } from 'stripe';
import { expect, test, vi } from 'vitest';
import type { RefundRequest } from '../gateway.ts';
import { RefundUnknown } from '../refund-unknown.ts';
import { createStripeRefunds } from './refunds.ts';

const HOUR_MS = 3_600_000;

test.each<[string, Partial<RefundRequest>, string | undefined]>([
  ['at first', {}, 'refund-k'],
  ['up to six hours after its first failure', { failingForMs: 6 * HOUR_MS - 1 }, 'refund-k'],
  ['for six hours then', { failingForMs: 6 * HOUR_MS }, undefined],
  ['until half a day has passed', { failingForMs: 12 * HOUR_MS - 1 }, undefined],
  ['from then on', { failingForMs: 12 * HOUR_MS }, 'refund-k-r1'],
  ['for another six hours', { failingForMs: 18 * HOUR_MS - 1 }, 'refund-k-r1'],
  ['for the rest of the day', { failingForMs: 18 * HOUR_MS }, undefined],
  ['after days', { failingForMs: 96 * HOUR_MS }, undefined],
  ['once staff run it again', { retries: 1 }, 'refund-k-r2'],
  ['half a day after that', { retries: 1, failingForMs: 12 * HOUR_MS }, 'refund-k-r3'],
])(
  'a refund by staff uses one idempotency key, or only looks for the refund: %s',
  async (_when, request, key) => {
    const keys: string[] = [];
    const stripe = stripeThat(async (_params, options) => {
      keys.push(options.idempotencyKey);
    });
    const money = { amount: 50_000, currency: 'USD' };
    const refunded = createStripeRefunds(stripe).refundPart('pi_1', money, { key: 'k', ...request });
    if (key) await refunded;
    else await expect(refunded).rejects.toThrow(RefundUnknown);
    expect(keys).toEqual(key ? [key] : []);
  },
);

test.each([
  ['JPY', 299_900, 2_999],
  ['KWD', 512, 5_120],
  ['EUR', 2_999, 2_999],
])('a refund in %s is requested in Stripe’s minor units', async (currency, hundredths, amount) => {
  const create = vi.fn(async () => {});
  const refunds = createStripeRefunds(stripeThat(create));
  await refunds.refundPart('pi_1', { amount: hundredths, currency }, { key: 'k' });
  expect(create).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ amount }), expect.anything());
});

/** A Stripe without refunds, which creates them so. */
function stripeThat(create: (params: unknown, options: { idempotencyKey: string }) => Promise<void>): Stripe {
  const list = () => ({ autoPagingToArray: async () => [] });
  return { refunds: { list, create } } as unknown as Stripe;
}
