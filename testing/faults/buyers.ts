import { randomUUID } from 'node:crypto';
import type { RunningSandbox } from '@querywright/sandbox/testing';
import { toDecimalString } from '../../core/money.ts';
import type { PaymentIntentCreated, PaymentMethod } from '../../core/orders.ts';
import { services } from '../../core/services.ts';
import { post } from '../buyer.ts';
import { misbehave } from '../misbehavior.ts';
import { type Model, newModel } from '../model/model.ts';
import { waitFor } from '../wait-for.ts';
import { giveBackSome } from './afterwards.ts';

export interface Bought {
  orderId: string;
  /** What the shop must know in the end. */
  model: Model;
}

interface BuyersOptions {
  url: string;
  sandbox: RunningSandbox;
  orders: number;
  random: () => number;
  /** Called before each order with the share of orders started, 0 to 1. */
  onProgress: (share: number) => Promise<void>;
}

const CONCURRENT_BUYERS = 8;

/** Buys `orders` services concurrently, by card or PayPal. Most are paid, some declined, some abandoned. */
export async function buyEverything(options: BuyersOptions): Promise<Bought[]> {
  const bought: Bought[] = [];
  let started = 0;
  let faults = Promise.resolve();
  const buyer = async () => {
    while (started < options.orders) {
      const number = started++;
      // Not awaited: other buyers continue while a process is down.
      faults = faults.then(() => options.onProgress((number + 1) / options.orders));
      bought.push(await buy(options, number));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_BUYERS }, buyer));
  await faults;
  return bought;
}

async function buy(options: BuyersOptions, number: number): Promise<Bought> {
  const { random, sandbox } = options;
  const service = services[number % services.length] ?? services[0];
  const order: OrderToPlace = {
    serviceId: service.slug,
    customerName: `Buyer ${number}`,
    customerEmail: `buyer-${number}@example.com`,
    amount: service.price,
  };
  // A tenth is declined and leaves, another tenth is declined and then pays, a third tenth leaves at once.
  const lot = random();
  const plan: Plan = {
    misbehaviors: Math.floor(random() * 3),
    declinedFirst: lot < 0.2,
    pays: lot > 0.1 && lot < 0.9,
    staysToTheEnd: random() < 0.5,
  };
  const method = random();
  const pay = method < 0.5 ? payByCard : method < 0.9 ? payWithPaypal : payBothWays;
  const placed = await pay(options, order, plan, randomUUID());
  const model = { ...newModel(order.amount), ...placed };
  await giveBackSome({ sandbox }, model, random);
  return { orderId: placed.orderId, model };
}

interface OrderToPlace {
  serviceId: string;
  customerName: string;
  customerEmail: string;
  amount: number;
}

interface Plan {
  /** How often the provider misbehaves about this payment. */
  misbehaviors: number;
  declinedFirst: boolean;
  pays: boolean;
  /** Whether the browser makes its capture call after the approval (PayPal). */
  staysToTheEnd: boolean;
}

type Placed = Pick<Model, 'mayMissEvents'> & { orderId: string };
type Pay = (options: BuyersOptions, order: OrderToPlace, plan: Plan, key: string) => Promise<Placed>;

const payByCard: Pay = async (options, order, plan, key) => {
  const { url, sandbox } = options;
  const { orderId, paymentIntentId } = await placeByCard(url, order, key);
  const { paymentIntents } = sandbox.stripeClient;
  const mayMissEvents = disturb(options, plan, { provider: 'stripe', id: paymentIntentId });
  if (plan.declinedFirst) {
    const declined = { payment_method: 'pm_card_chargeDeclined' };
    await paymentIntents.confirm(paymentIntentId, declined).catch(() => {});
  }
  if (plan.pays) {
    // A provider fault may hit the buyer too, who presses the button again.
    await waitFor('the card is charged', async () => {
      const { status } = await paymentIntents
        .confirm(paymentIntentId, { payment_method: 'pm_card_visa' })
        .catch(() => paymentIntents.retrieve(paymentIntentId));
      return status === 'succeeded';
    });
  }
  return { orderId, mayMissEvents };
};

/** Switches to PayPal while Stripe fails to cancel the card payment, which is then paid in the abandoned tab. */
const payBothWays: Pay = async (options, order, plan, key) => {
  const { stripeClient, faults } = options.sandbox;
  const { paymentIntentId } = await placeByCard(options.url, order, key);
  faults.add({ target: 'stripe', mode: 'error', code: 503, count: 3, match: `${paymentIntentId}/cancel` });
  const placed = await payWithPaypal(options, order, plan, key);
  await stripeClient.paymentIntents
    .confirm(paymentIntentId, { payment_method: 'pm_card_visa' })
    .catch(() => {});
  return placed;
};

async function placeByCard(url: string, order: OrderToPlace, key: string) {
  const path = '/api/create-payment-intent';
  const { orderId, clientSecret } = await postUntilAnswered<PaymentIntentCreated>(url, path, order, key);
  return { orderId, paymentIntentId: clientSecret.split('_secret_')[0] ?? '' };
}

const payWithPaypal: Pay = async (options, order, plan, key) => {
  const { url, sandbox } = options;
  const path = '/api/create-paypal-order';
  const { orderId } = await postUntilAnswered<{ orderId: string }>(url, path, order, key);
  const amount = toDecimalString(order.amount);
  const body = { orderId, amount, currency: 'USD', intent: 'CAPTURE' };
  const { id } = await postUntilAnswered<{ id: string }>(url, '/api/paypal/order', body, randomUUID());
  const mayMissEvents = disturb(options, plan, { provider: 'paypal', id });
  const approve = (outcome: string) =>
    post({ url: `${sandbox.url}/paypal/sandbox` }, `/orders/${id}/approve`, { outcome });
  if (plan.declinedFirst) {
    await approve('declined');
    await post({ url }, `/api/paypal/order/${id}/capture`, {}).catch(() => {});
  }
  if (plan.pays) {
    await approve('completed');
    if (plan.staysToTheEnd) await post({ url }, `/api/paypal/order/${id}/capture`, {}).catch(() => {});
  }
  return { orderId, mayMissEvents };
};

/** Returns whether an event is withheld. */
function disturb(
  { sandbox, random }: BuyersOptions,
  { misbehaviors }: Plan,
  payment: { provider: PaymentMethod; id: string },
): boolean {
  const allowances = Array.from({ length: misbehaviors }, () => misbehave(sandbox, payment, random));
  return allowances.some(({ withholds }) => withholds);
}

/** Repeats the request with the same key until it is answered, as a buyer with a broken connection does. */
async function postUntilAnswered<T>(url: string, path: string, body: object, key: string): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await post({ url }, path, body, { 'idempotency-key': key }).catch(() => undefined);
    if (answer?.ok) return (await answer.json()) as T;
    if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    if (Date.now() > deadline) throw new Error(`${path}: no answer for a minute`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
