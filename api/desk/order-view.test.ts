import { expect, test } from 'vitest';
import type { OrderDetails } from '../../db/order-details.ts';
import type { WaitingRefund } from '../../db/refunds.ts';
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

test('a refund that staff asked for is pending until it is reported, unless it failed permanently', () => {
  const taken = { pi_1: { amount: 1_000, currency: 'USD' } };
  const reported = { re_1: { paymentId: 'pi_1', amount: 30, status: 'succeeded', observedAt: 5 } };
  const asked = { paymentId: 'pi_1', amount: 30, hasFailed: false };
  const refundsWith = (waiting: WaitingRefund[]) =>
    toDeskOrder(
      config,
      { order: orderWith({ captures: taken, refunds: reported }), timeline: [] },
      waiting,
    ).payments[1]?.refunds.map(({ id, status }) => `${id} ${status}`);
  const earlier = { ...asked, id: '7', requestedAt: 4 };
  expect(refundsWith([{ ...asked, id: '8', requestedAt: 6 }])).toEqual([
    're_1 succeeded',
    'requested-8 pending',
  ]);
  expect(refundsWith([{ ...earlier, amount: 40 }])).toEqual(['re_1 succeeded', 'requested-7 pending']);
  expect(refundsWith([{ ...earlier, paymentId: 'pi_2' }])).toEqual(['re_1 succeeded']);
  expect(refundsWith([earlier])).toEqual(['re_1 succeeded']);
  expect(refundsWith([{ ...asked, id: '9', requestedAt: 6, hasFailed: true }])).toEqual(['re_1 succeeded']);
});

test('a payment shows what it was made with, also while it is processing', () => {
  const methodType = 'us_bank_account';
  const typesWith = (facts: object) =>
    toDeskOrder(config, { order: orderWith(facts), timeline: [] }, []).payments.map(
      (payment) => payment.methodType,
    );
  const attempt = { paymentId: 'pi_1', status: 'processing', reason: null, methodType, observedAt: 1 };
  expect(typesWith({ attempt })).toEqual([null, methodType]);
  expect(typesWith({ captures: { pi_1: { amount: 1, currency: 'USD', methodType } } })).toEqual([
    null,
    methodType,
  ]);
  expect(typesWith({})).toEqual([null, null]);
});

test('payments and disputes link to the dashboard of their own provider', () => {
  const shown = toDeskOrder(config, { order: orderWith({ disputes }), timeline: [] }, []);
  expect(shown.payments.map(({ dashboardUrl }) => dashboardUrl)).toEqual([
    'https://www.paypal.com/activities',
    'https://dashboard.stripe.com/payments/pi_1',
  ]);
  expect(shown.disputes.map(({ dashboardUrl }) => dashboardUrl)).toEqual([
    'https://dashboard.stripe.com/disputes/du_1',
    'https://www.paypal.com/disputes/dashboard',
  ]);
});

test('a former payment that pays the order is marked as such', () => {
  const price = { amount: 5, currency: 'usd' };
  const capture = { ...price, provider: 'stripe' };
  const rolesWith = (captures: object) => {
    const order = { ...orderWith({ captures }), ...price };
    return toDeskOrder(config, { order, timeline: [] }, []).payments.map(({ role }) => role);
  };
  expect(rolesWith({})).toEqual(['current', 'former']);
  expect(rolesWith({ pi_1: capture })).toEqual(['current', 'paying']);
  expect(rolesWith({ '8MC5': capture, pi_1: capture })).toEqual(['current', 'former']);
});

function orderWith(facts: object): OrderDetails {
  return {
    ...{ id: 'o-1', paymentMethod: 'paypal', paymentIntentId: '8MC5', formerPaymentIds: ['pi_1'] },
    ...{ createdAt: new Date(), paidAt: null, status: 'disputed' },
    facts: { captures: {}, refunds: {}, refunded: {}, disputes: {}, decision: null, ...facts },
  } as unknown as OrderDetails;
}
