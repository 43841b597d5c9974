import { randomUUID } from 'node:crypto';
import type { RunningSandbox } from '@querywright/sandbox/testing';
import { toDecimalString } from '../../core/money.ts';
import type { PaymentIntentCreated } from '../../core/orders.ts';
import { services } from '../../core/services.ts';
import { post } from '../buyer.ts';

export interface Bought {
  orderId: string;
  email: string;
  /** Whether the sandbox took the money. */
  paid: boolean;
}

export interface BuyersOptions {
  url: string;
  sandbox: RunningSandbox;
  orders: number;
  random: () => number;
  /** Called before each order with the share of orders begun, 0 to 1. */
  onProgress: (share: number) => Promise<void>;
}

const BUYERS_AT_ONCE = 8;

/** Buys `orders` services, several at a time: by card or with PayPal, most are paid, some declined, some left. Faults strike in between. */
export async function buyEverything(options: BuyersOptions): Promise<Bought[]> {
  const bought: Bought[] = [];
  let begun = 0;
  let striking = Promise.resolve();
  const buyer = async () => {
    while (begun < options.orders) {
      const number = begun++;
      // Not awaited: the others go on buying while a process is away.
      striking = striking.then(() => options.onProgress((number + 1) / options.orders));
      bought.push(await buy(options, number));
    }
  };
  await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, buyer));
  await striking;
  return bought;
}

async function buy(options: BuyersOptions, number: number): Promise<Bought> {
  const { random } = options;
  const service = services[number % services.length] ?? services[0];
  const order: OrderToPlace = {
    serviceId: service.slug,
    customerName: `Buyer ${number}`,
    customerEmail: `buyer-${number}@example.com`,
    amount: service.price,
  };
  // A tenth leaves without paying, another tenth after a decline; a third tenth is declined first and pays then.
  const lot = random();
  const plan: Plan = {
    declinedFirst: lot < 0.2,
    pays: lot > 0.1 && lot < 0.9,
    staysToTheEnd: random() < 0.5,
  };
  const pay = random() < 0.6 ? payByCard : payWithPaypal;
  const orderId = await pay(options, order, plan);
  return { orderId, email: order.customerEmail, paid: plan.pays };
}

interface OrderToPlace {
  serviceId: string;
  customerName: string;
  customerEmail: string;
  amount: number;
}

interface Plan {
  declinedFirst: boolean;
  pays: boolean;
  /** Whether the browser still makes its own call after the approval (PayPal). */
  staysToTheEnd: boolean;
}

async function payByCard({ url, sandbox }: BuyersOptions, order: OrderToPlace, plan: Plan): Promise<string> {
  const { orderId, clientSecret } = await insist<PaymentIntentCreated>(
    url,
    '/api/create-payment-intent',
    order,
  );
  const paymentIntentId = clientSecret.split('_secret_')[0] ?? '';
  const { paymentIntents } = sandbox.stripeClient;
  if (plan.declinedFirst) {
    const declined = { payment_method: 'pm_card_chargeDeclined' };
    await paymentIntents.confirm(paymentIntentId, declined).catch(() => {});
  }
  if (plan.pays) await paymentIntents.confirm(paymentIntentId, { payment_method: 'pm_card_visa' });
  return orderId;
}

async function payWithPaypal(
  { url, sandbox }: BuyersOptions,
  order: OrderToPlace,
  plan: Plan,
): Promise<string> {
  const { orderId } = await insist<{ orderId: string }>(url, '/api/create-paypal-order', order);
  const amount = toDecimalString(order.amount);
  const wish = { orderId, amount, currency: 'USD', intent: 'CAPTURE' };
  const { id } = await insist<{ id: string }>(url, '/api/paypal/order', wish);
  const approve = (outcome: string) =>
    post({ url: `${sandbox.url}/paypal/sandbox` }, `/orders/${id}/approve`, { outcome });
  if (plan.declinedFirst) {
    await approve('declined');
    // Whether the answer comes or not: the buyer sees the window again.
    await post({ url }, `/api/paypal/order/${id}/capture`, {}).catch(() => {});
  }
  if (plan.pays) {
    await approve('completed');
    if (plan.staysToTheEnd) await post({ url }, `/api/paypal/order/${id}/capture`, {}).catch(() => {});
  }
  return orderId;
}

/** Sends the same request with the same key until it is answered, as a buyer does whose connection broke. */
async function insist<T>(url: string, path: string, body: object): Promise<T> {
  const key = randomUUID();
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await post({ url }, path, body, { 'idempotency-key': key }).catch(() => undefined);
    if (answer?.ok) return (await answer.json()) as T;
    if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    if (Date.now() > deadline) throw new Error(`${path}: no answer for a minute`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
