import fc from 'fast-check';
import type { LedgerPayment } from './ledger.ts';
import type { Model } from './model.ts';
import { checkNow } from './rest.ts';
import { Step } from './step.ts';
import { call, checkOut, choose, control, payByLink, type World } from './world.ts';

const cards = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_chargeDeclined',
  'pm_card_threeDSecure2Required',
  'pm_usBankAccount',
  'pm_card_createDispute',
  'pm_card_createDisputeInquiry',
];
const tab = fc.nat(3);
const isCard = ({ provider }: LedgerPayment) => provider === 'stripe';
const isPaypal = ({ provider }: LedgerPayment) => provider === 'paypal';
const has = (fits: (payment: LedgerPayment) => boolean) => (model: Model) => model.payments.some(fits);

/** A buyer's actions, in any tab. */
export const buyerSteps: fc.Arbitrary<Step>[] = [
  fc.constantFrom('stripe' as const, 'paypal' as const).map(
    (method) =>
      new Step(
        `check out by ${method}`,
        () => true,
        (model, world) => checkOut(model, world, method),
      ),
  ),
  fc.constantFrom('stripe' as const, 'paypal' as const).map(
    (method) =>
      new Step(
        `follow the link, to pay by ${method}`,
        ({ orderId }) => orderId !== undefined,
        (model, world) => payByLink(model, world, method),
      ),
  ),
  fc.tuple(fc.constantFrom(...cards), tab).map(
    ([card, number]) =>
      new Step(`pay with ${card} in tab ${number}`, has(isCard), async (model, world) => {
        const payment = choose(model, number, isCard);
        const body = { payment_method: card, return_url: 'http://localhost/success' };
        await world.shop.sandbox.stripeClient.paymentIntents.confirm(payment?.id ?? '', body).catch(() => {});
      }),
  ),
  fc
    .tuple(fc.constantFrom('complete', 'fail'), tab)
    .map(
      ([outcome, number]) =>
        new Step(`${outcome} 3-D Secure in tab ${number}`, has(isCard), (model, world) =>
          authenticate(model, world, number, outcome),
        ),
    ),
  tab.map(
    (number) =>
      new Step(`return from tab ${number}`, has(isCard), async (model, world) => {
        const paymentIntentId = choose(model, number, isCard)?.id;
        await call(model, world, '/api/confirm-payment', { orderId: model.orderId, paymentIntentId });
      }),
  ),
  fc
    .tuple(fc.constantFrom('completed', 'completed', 'completed', 'pending', 'declined'), tab)
    .map(
      ([outcome, number]) =>
        new Step(`approve in window ${number} (${outcome})`, has(isPaypal), (model, world) =>
          approve(world, choose(model, number, isPaypal)?.id, outcome),
        ),
    ),
  fc
    .tuple(fc.constantFrom('completed', 'pending', 'declined'), tab)
    .map(
      ([outcome, number]) =>
        new Step(
          `approve in window ${number} (${outcome}) as the order expires`,
          has(isPaypal),
          (model, world) => approveAtExpiry(model, world, choose(model, number, isPaypal)?.id ?? '', outcome),
        ),
    ),
  fc.tuple(fc.constantFrom(1, 1, 2), tab).map(
    ([times, number]) =>
      new Step(`capture window ${number}, ${times} at once`, has(isPaypal), async (model, world) => {
        const id = choose(model, number, isPaypal)?.id;
        await Promise.all(Array.from({ length: times }, () => capture(model, world, id)));
      }),
  ),
  tab.map(
    (number) =>
      new Step(`return from window ${number}`, has(isPaypal), async (model, world) => {
        const paypalOrderId = choose(model, number, isPaypal)?.id;
        await call(model, world, '/api/confirm-paypal-payment', { orderId: model.orderId, paypalOrderId });
      }),
  ),
];

function approve(world: World, id: string | undefined, outcome: string): Promise<unknown> {
  return control(world.shop, `/paypal/sandbox/orders/${id}/approve`, { outcome });
}

const HELD_MS = 700;

/** PayPal reports twice that the payment is not approved; the buyer approves before the check gets the answer. */
async function approveAtExpiry(model: Model, world: World, id: string, outcome: string): Promise<void> {
  model.hasExpired = true;
  const { faults } = world.shop.sandbox;
  const match = `GET /v2/checkout/orders/${id}`;
  const held = faults.add({ target: 'paypal', mode: 'slow', when: 'after', ms: HELD_MS, count: 2, match });
  await checkNow(world.shop, model.orderId ?? '', 25);
  const deadline = Date.now() + 5_000;
  const isHolding = () => faults.list().every((fault) => fault.id !== held.id);
  while (!isHolding() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  await approve(world, id, outcome);
  await capture(model, world, id);
}

/** A declined buyer must see what to do next. */
async function capture(model: Model, world: World, id: string | undefined): Promise<void> {
  const path = `/api/paypal/order/${id}/capture`;
  const { status, body } = await call(model, world, path, {});
  if (status === 200 && body.status === 'DECLINED' && !body.reason)
    world.violations.push('declined without a reason');
}

async function authenticate(model: Model, { shop }: World, number: number, outcome: string): Promise<void> {
  const id = choose(model, number, isCard)?.id ?? '';
  const secret = shop.sandbox.stripe.state.paymentIntents.get(id)?.client_secret ?? '';
  await fetch(`${shop.sandbox.url}/stripe/authenticate/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: secret, outcome }),
  });
}
