import fc from 'fast-check';
import type { LedgerDispute, LedgerPayment } from './ledger.ts';
import { type Model, PRICE } from './model.ts';
import { askForEvidence, closeDispute, openDispute, refund, submitEvidence } from './money-back.ts';
import { untilAtRest } from './rest.ts';
import { Step } from './step.ts';
import { choose, control, type World } from './world.ts';

/** Why PayPal may refuse a buyer who has approved. */
const payerIssues = [
  'INSTRUMENT_DECLINED',
  'PAYER_ACTION_REQUIRED',
  'PAYER_CANNOT_PAY',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'TRANSACTION_REFUSED',
];

const REST_MS = 20_000;
const choice = fc.nat(3);
const isProcessing = ({ state }: LedgerPayment) => state === 'processing';
const isOpen = ({ state, provider }: LedgerPayment) =>
  state === 'open' || (state === 'approved' && provider === 'paypal');
const isPaypal = ({ provider }: LedgerPayment) => provider === 'paypal';
const isTaken = ({ state }: LedgerPayment) => state === 'taken';
const has = (fits: (payment: LedgerPayment) => boolean) => (model: Model) => model.payments.some(fits);
const hasRefund = has(({ refunds }) => refunds.length > 0);
const hasDispute = has(({ disputes }) => disputes.length > 0);

/** What banks, providers and staff in the provider's dashboard do. */
export const providerSteps: fc.Arbitrary<Step>[] = [
  fc
    .tuple(fc.boolean(), choice)
    .map(
      ([succeeds, number]) =>
        new Step(`the bank ${succeeds ? 'pays' : 'refuses'} #${number}`, has(isProcessing), (model, world) =>
          endProcessing(world, choose(model, number, isProcessing), succeeds),
        ),
    ),
  fc.tuple(fc.constantFrom(...payerIssues), choice).map(
    ([value, number]) =>
      new Step(`PayPal refuses the payer of #${number}: ${value}`, has(isPaypal), async (model, { shop }) => {
        const match = choose(model, number, isPaypal)?.id ?? '';
        shop.sandbox.behaviors.add({ name: 'paypal-capture-issue', value, count: 1, match });
      }),
  ),
  fc
    .tuple(
      fc.constantFrom(
        { amount: PRICE - 1, currency: 'USD' },
        { amount: 1_000, currency: 'USD' },
        { amount: PRICE, currency: 'EUR' },
      ),
      choice,
    )
    .map(
      ([asked, number]) =>
        new Step(`#${number} asks for ${asked.amount} ${asked.currency}`, has(isOpen), async (model, world) =>
          askFor(world, choose(model, number, isOpen), asked),
        ),
    ),
  fc
    .record({ cents: fc.constantFrom(PRICE, 1000, 50_000), pending: fc.boolean(), number: choice })
    .map(
      ({ cents, pending, number }) =>
        new Step(
          `staff refund ${cents} of #${number}${pending ? ', pending' : ''}`,
          has(isTaken),
          async (model, { shop }) => refund(model, shop, choose(model, number, isTaken), cents, pending),
        ),
    ),
  fc
    .tuple(fc.constantFrom('succeeded', 'failed', 'canceled'), choice)
    .map(
      ([outcome, number]) =>
        new Step(`refund #${number} ${outcome}`, hasRefund, (model, world) =>
          endRefund(model, world, number, outcome),
        ),
    ),
  choice.map(
    (number) =>
      new Step(`evidence for dispute #${number}`, hasDispute, (model, { shop }) =>
        submitEvidence(shop, chooseDispute(model, number)),
      ),
  ),
  choice.map(
    (number) =>
      new Step(`dispute #${number} asks for evidence again`, hasDispute, async (model, { shop }) => {
        // Appeals come days later. A dispute that reopens within the hour looks like a stale answer.
        const ids = model.payments.map(({ id }) => id);
        await untilAtRest(shop, model.orderId ?? '', ids, REST_MS);
        await askForEvidence(shop, chooseDispute(model, number));
      }),
  ),
  fc
    .tuple(choice, fc.boolean())
    .map(
      ([number, inquiry]) =>
        new Step(`${inquiry ? 'inquiry' : 'dispute'} about #${number}`, has(isTaken), (model, { shop }) =>
          openDispute(shop, choose(model, number, isTaken), inquiry),
        ),
    ),
  fc
    .record({
      outcome: fc.constantFrom('won' as const, 'lost' as const),
      booked: fc.boolean(),
      number: choice,
    })
    .map(
      ({ outcome, booked, number }) =>
        new Step(
          `dispute #${number} ${outcome}${booked ? '' : ', not booked'}`,
          hasDispute,
          (model, { shop }) => closeDispute(model, shop, chooseDispute(model, number), outcome, booked),
        ),
    ),
];

function chooseDispute(model: Model, number: number): LedgerDispute | undefined {
  const disputes = model.payments.flatMap((payment) => payment.disputes);
  return disputes[number % Math.max(1, disputes.length)];
}

/** Changes the payment at the provider, so that its money does not fit the price. */
function askFor(
  { shop: { sandbox } }: World,
  payment: LedgerPayment | undefined,
  { amount, currency }: { amount: number; currency: string },
): void {
  const intent = sandbox.stripe.state.paymentIntents.get(payment?.id ?? '');
  if (intent) Object.assign(intent, { amount, currency: currency.toLowerCase() });
  const order = sandbox.paypal.context.state.orders.get(payment?.id ?? '');
  if (order) order.purchase_units[0].amount = { currency_code: currency, value: (amount / 100).toFixed(2) };
}

async function endProcessing(
  world: World,
  payment: LedgerPayment | undefined,
  succeeds: boolean,
): Promise<void> {
  if (payment?.provider === 'paypal') {
    await control(
      world.shop,
      `/paypal/sandbox/captures/${payment.captureId}/${succeeds ? 'complete' : 'deny'}`,
    );
    return;
  }
  const path = `/stripe/sandbox/payment_intents/${payment?.id}`;
  await control(world.shop, `${path}/verify_microdeposits`, { outcome: succeeds ? 'verified' : 'failed' });
  await control(world.shop, `${path}/settle`, { outcome: succeeds ? 'succeeded' : 'failed' });
}

async function endRefund(model: Model, world: World, number: number, outcome: string): Promise<void> {
  const all = model.payments.flatMap(({ provider, refunds }) => refunds.map(({ id }) => ({ provider, id })));
  const { provider, id } = all[number % all.length] ?? {};
  if (provider === 'stripe') {
    const path = `/stripe/sandbox/refunds/${id}/settle`;
    await control(world.shop, path, { outcome });
    return;
  }
  const outcomes: Record<string, string> = {
    succeeded: 'completed',
    failed: 'failed',
    canceled: 'cancelled',
  };
  await control(world.shop, `/paypal/sandbox/refunds/${id}/settle`, { outcome: outcomes[outcome] });
}
