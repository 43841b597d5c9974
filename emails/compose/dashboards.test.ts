import { expect, test } from 'vitest';
import { readConfig } from '../../infra/config.ts';
import { dashboardUrl } from './dashboards.ts';

const local = readConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgres://localhost/test' });
const stripe = (secretKey: string) => ({
  ...local,
  stripe: { ...local.stripe, api: undefined, secretKey },
});
const paypal = (environment: 'live' | 'sandbox') => ({
  ...local,
  paypal: { ...local.paypal, local: false, environment },
});

test.each([
  [stripe('sk_live_x'), 'stripe', 'payment', 'pi_1', 'https://dashboard.stripe.com/payments/pi_1'],
  [stripe('rk_live_x'), 'stripe', 'payout', 'po_1', 'https://dashboard.stripe.com/payouts/po_1'],
  [stripe('sk_test_x'), 'stripe', 'dispute', 'du_1', 'https://dashboard.stripe.com/test/disputes/du_1'],
  [paypal('live'), 'paypal', 'dispute', 'PP-D-1', 'https://www.paypal.com/disputes/dashboard'],
  [stripe('sk_test_x'), 'stripe', 'payout', undefined, 'https://dashboard.stripe.com/test/payouts'],
  [paypal('sandbox'), 'paypal', 'payment', '8MC5', 'https://www.sandbox.paypal.com/activities'],
  [local, 'stripe', 'payment', 'pi_1', null],
  [local, 'paypal', 'payment', '8MC5', null],
] as const)('finds the page of an object in the dashboard (%#)', (config, provider, object, id, expected) => {
  expect(dashboardUrl(config, provider, object, id)).toBe(expected);
});
