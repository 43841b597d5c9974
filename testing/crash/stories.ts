import { makeBackfillsDue } from '../backfills.ts';
import { cancelAtDesk, refundAtDesk } from '../model/at-desk.ts';
import { keepPayment } from '../model/keep-payment.ts';
import type { LedgerPayment } from '../model/ledger.ts';
import type { Model } from '../model/model.ts';
import { refund } from '../model/money-back.ts';
import { checkNow } from '../model/rest.ts';
import { call, checkOut, control, type World } from '../model/world.ts';

/** One step of a story. Repeated once if the process that served it was killed, as a browser would. */
type Act = (model: Model, world: World) => Promise<unknown>;

const byCard: Act = (model, world) => checkOut(model, world, 'stripe');
const byPaypal: Act = (model, world) => checkOut(model, world, 'paypal');
const find = ({ payments }: Model, provider: LedgerPayment['provider']) =>
  payments.find((payment) => payment.provider === provider)?.id ?? '';

const payCard: Act = async (model, { shop }) => {
  const { paymentIntents } = shop.sandbox.stripeClient;
  const intent = find(model, 'stripe');
  await paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' }).catch(() => {});
};
const comeBack: Act = (model, world) =>
  call(model, world, '/api/confirm-payment', {
    orderId: model.orderId,
    paymentIntentId: find(model, 'stripe'),
  });
const approve: Act = (model, world) =>
  control(world.shop, `/paypal/sandbox/orders/${find(model, 'paypal')}/approve`, {});
const capture: Act = (model, world) =>
  call(model, world, `/api/paypal/order/${find(model, 'paypal')}/capture`, {});
const check: Act = (model, { shop }) => checkNow(shop, model.orderId ?? '');

/** The first payment cannot be canceled when the buyer turns to PayPal, and is paid in the tab that was left. */
const keepFormerAlive: Act = async (model, { shop }) => {
  model.mayFail = true;
  const match = `${find(model, 'stripe')}/cancel`;
  shop.sandbox.faults.add({ target: 'stripe', mode: 'error', code: 503, count: 4, match });
};
const loseEvents: Act = async (model, { shop }) => {
  model.mayMissEvents = true;
  const match = find(model, 'stripe');
  shop.sandbox.behaviors.add({ name: 'stripe-missing-event', count: 10, match });
};
/** Listed, but never delivered. */
const holdDeliveries: Act = async (model, { shop }) => {
  const match = find(model, 'stripe');
  shop.sandbox.behaviors.add({ name: 'stripe-undelivered-event', count: 10, match });
};
const fetchEvents: Act = async (_model, { shop }) => {
  await makeBackfillsDue(shop.db);
};
const expire: Act = async (model, { shop }) => {
  model.hasExpired = true;
  await checkNow(shop, model.orderId ?? '', 25);
};
const refundByStaff: Act = async (model, { shop }) => {
  const made = await shop.sandbox.stripeClient.refunds.create({
    payment_intent: find(model, 'stripe'),
    amount: 1_000,
  });
  model.foreignRefunds.add(made.id);
};

const refundPaypalByStaff: Act = (model, { shop }) =>
  refund(
    model,
    shop,
    model.payments.find(({ provider }) => provider === 'paypal'),
    model.price,
    false,
  );

/** Together the stories pass through every step of the pipeline. */
export const stories: Record<string, Act[]> = {
  'an order by card': [byCard],
  'an order by PayPal': [byPaypal],
  'a card payment': [byCard, payCard, comeBack],
  'a PayPal payment': [byPaypal, approve, capture],
  'a PayPal window closed after the approval': [byPaypal, approve],
  'another method': [byCard, byPaypal, approve, capture],
  'two payments': [byCard, keepFormerAlive, byPaypal, payCard, approve, capture],
  'a second payment that staff keep': [
    ...[byCard, keepFormerAlive, byPaypal, approve, capture],
    ...[refundPaypalByStaff, payCard, keepPayment],
  ],
  'lost webhooks': [byCard, loseEvents, payCard, check],
  'undelivered events': [byCard, holdDeliveries, payCard, fetchEvents],
  'an order that expires': [byCard, expire],
  'a refund': [byCard, payCard, refundByStaff],
  'a refund at the desk': [byCard, payCard, (model, world) => refundAtDesk(model, world, 50_000)],
  'a refund of PayPal’s payment at the desk': [
    byPaypal,
    approve,
    capture,
    (model, world) => refundAtDesk(model, world, model.price),
  ],
  'a cancellation at the desk': [byCard, cancelAtDesk],
};
