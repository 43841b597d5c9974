import { randomUUID } from 'node:crypto';
import type { PaymentIntentCreated } from '../../core/orders.ts';
import { services } from '../../core/services.ts';
import type { RunningSandbox } from '../../sandbox/testing.ts';
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

/** Buys `orders` services, several at a time: most are paid, some declined, some left. Faults strike in between. */
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

async function buy({ url, sandbox, random }: BuyersOptions, number: number): Promise<Bought> {
  const service = services[number % services.length] ?? services[0];
  const email = `buyer-${number}@example.com`;
  const lot = random();
  const order = await place(url, {
    serviceId: service.slug,
    customerName: `Buyer ${number}`,
    customerEmail: email,
    amount: service.price,
  });
  const paymentIntentId = order.clientSecret.split('_secret_')[0] ?? '';
  const { paymentIntents } = sandbox.stripeClient;
  if (lot < 0.2) {
    await paymentIntents
      .confirm(paymentIntentId, { payment_method: 'pm_card_chargeDeclined' })
      .catch(() => {});
  }
  // A tenth leaves without paying, another tenth after a declined card.
  if (lot > 0.1 && lot < 0.9) {
    await paymentIntents.confirm(paymentIntentId, { payment_method: 'pm_card_visa' });
    return { orderId: order.orderId, email, paid: true };
  }
  return { orderId: order.orderId, email, paid: false };
}

/** Sends the same request with the same key until it is answered, as a buyer does whose connection broke. */
async function place(url: string, order: Record<string, unknown>): Promise<PaymentIntentCreated> {
  const key = randomUUID();
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await post({ url }, '/api/create-payment-intent', order, { 'idempotency-key': key }).catch(
      () => undefined,
    );
    if (answer?.ok) return (await answer.json()) as PaymentIntentCreated;
    if (answer && answer.status < 500)
      throw new Error(`order refused: ${answer.status} ${await answer.text()}`);
    if (Date.now() > deadline) throw new Error('no order could be placed for a minute');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
