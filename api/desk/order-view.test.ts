import { expect, test } from 'vitest';
import type { OrderDetails } from '../../db/order-details.ts';
import { readConfig } from '../../infra/config.ts';
import { toDeskOrder } from './order-view.ts';

const local = readConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgres://localhost/test' });
const config = {
  ...local,
  stripe: { ...local.stripe, api: undefined, secretKey: 'sk_live_x' },
  paypal: { ...local.paypal, local: false, environment: 'live' as const },
};
const disputes = {
  du_1: { amount: 5, outcome: 'open', paymentId: 'pi_1' },
  'PP-D-1': { amount: 5, outcome: 'open' },
};

test('payments and disputes link to the dashboard of their own provider', () => {
  const order = {
    ...{ id: 'o-1', paymentMethod: 'paypal', paymentIntentId: '8MC5', formerPaymentIds: ['pi_1'] },
    ...{ createdAt: new Date(), paidAt: null, status: 'disputed' },
    facts: { captures: {}, refunds: {}, refunded: {}, disputes, decision: null },
  } as unknown as OrderDetails;
  const shown = toDeskOrder(config, { order, timeline: [] }, []);
  expect(shown.payments.map(({ dashboardUrl }) => dashboardUrl)).toEqual([
    'https://www.paypal.com/activities',
    'https://dashboard.stripe.com/payments/pi_1',
  ]);
  expect(shown.disputes.map(({ dashboardUrl }) => dashboardUrl)).toEqual([
    'https://dashboard.stripe.com/disputes/du_1',
    'https://www.paypal.com/disputes/dashboard',
  ]);
});
