import fc from 'fast-check';
import type { LedgerPayment } from './ledger.ts';
import type { Model } from './model.ts';
import { Step } from './step.ts';
import { call, checkOut, choose, control, type World } from './world.ts';

const cards = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_chargeDeclined',
  'pm_card_threeDSecure2Required',
  'pm_usBankAccount',
  'pm_card_createDispute',
];
const tab = fc.nat(3);
const isCard = ({ provider }: LedgerPayment) => provider === 'stripe';
const isPaypal = ({ provider }: LedgerPayment) => provider === 'paypal';
const has = (fits: (payment: LedgerPayment) => boolean) => (model: Model) => model.payments.some(fits);

/** What a buyer does, in whichever tab. */
export const buyerSteps: fc.Arbitrary<Step>[] = [
  fc.constantFrom('stripe' as const, 'paypal' as const).map(
    (method) =>
      new Step(
        `check out by ${method}`,
        () => true,
        (model, world) => checkOut(model, world, method),
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
  fc.tuple(fc.constantFrom('completed', 'completed', 'completed', 'pending', 'declined'), tab).map(
    ([outcome, number]) =>
      new Step(`approve in window ${number} (${outcome})`, has(isPaypal), (model, world) =>
        control(world, `/paypal/sandbox/orders/${choose(model, number, isPaypal)?.id}/approve`, {
          outcome,
        }),
      ),
  ),
  fc.tuple(fc.constantFrom(1, 1, 2), tab).map(
    ([times, number]) =>
      new Step(`capture window ${number}, ${times} at once`, has(isPaypal), async (model, world) => {
        await Promise.all(Array.from({ length: times }, () => capture(model, world, number)));
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

/** A buyer whose payment is declined has to be told what to do. */
async function capture(model: Model, world: World, number: number): Promise<void> {
  const path = `/api/paypal/order/${choose(model, number, isPaypal)?.id}/capture`;
  const { status, body } = await call(model, world, path, {});
  if (status === 200 && body.status === 'DECLINED' && !body.reason)
    world.wrongs.push('declined without a reason');
}

async function authenticate(model: Model, { shop }: World, number: number, outcome: string): Promise<void> {
  const id = choose(model, number, isCard)?.id ?? '';
  const secret = shop.sandbox.stripe.state.paymentIntents.get(id)?.client_secret ?? '';
  await fetch(`${shop.sandbox.url}/stripe/authenticate/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: secret, outcome }),
  });
}
