import fc from 'fast-check';
import { seededRandom } from '../faults/random.ts';
import { misbehave } from '../misbehavior.ts';
import type { Model } from './model.ts';
import { checkNow, untilAtRest } from './rest.ts';
import { Step } from './step.ts';
import { choose, takeAway, type World } from './world.ts';

const isPlaced = ({ orderId }: Model) => orderId !== undefined;
const hasPayment = ({ payments }: Model) => payments.length > 0;
const choice = fc.nat(3);

/** Provider outages, lost and repeated events, killed workers, and time. */
export const fateSteps: fc.Arbitrary<Step>[] = [
  fc.record({ seed: fc.nat(), number: choice }).map(
    ({ seed, number }) =>
      new Step(`misbehave ${seed} at #${number}`, hasPayment, async (model, { shop }) => {
        const payment = choose(model, number, () => true);
        if (!payment) return;
        const { withholds, fails } = misbehave(shop.sandbox, payment, seededRandom(seed));
        model.mayMissEvents ||= withholds ?? false;
        model.mayFail ||= fails ?? false;
      }),
  ),
  fc
    .record({
      mode: fc.constantFrom('error', 'drop'),
      when: fc.constantFrom('before', 'after'),
      count: fc.integer({ min: 1, max: 3 }),
      number: choice,
    })
    .map(
      ({ mode, when, count, number }) =>
        new Step(`${count} ${mode} ${when} at #${number}`, hasPayment, async (model, { shop }) => {
          const { provider, id } = choose(model, number, () => true) ?? {};
          model.mayFail = true;
          shop.sandbox.faults.add({ target: provider, mode, when, count, match: id });
        }),
    ),
  fc
    .constantFrom('error', 'duplicate', 'reorder', 'slow')
    .map(
      (mode) =>
        new Step(`webhooks: ${mode}`, isPlaced, async (_model, { shop }) =>
          shop.sandbox.faults.add({ target: 'webhooks', mode, count: 2, ms: 400 }),
        ),
    ),
  fc.constantFrom('stripe' as const, 'paypal' as const).chain((provider) =>
    fc.constantFrom('error', 'drop').map(
      (mode) =>
        new Step(
          `no new payments at ${provider}: ${mode}`,
          () => true,
          async (_model, world) => takeAway(world, provider, mode),
        ),
    ),
  ),
  fc.integer({ min: 1, max: 3 }).map(
    (count) =>
      new Step(
        `the buyer's mail server is away ${count} times`,
        () => true,
        async (_model, { shop, email }) =>
          shop.sandbox.faults.add({ target: 'smtp', mode: 'error', code: 451, count, match: email }),
      ),
  ),
  fc
    .nat(20)
    .map(
      (number) =>
        new Step(`repeat event #${number}`, isPlaced, (model, world) => repeat(model, world, number)),
    ),
  fc.constant(new Step('a check', isPlaced, (model, { shop }) => checkNow(shop, model.orderId ?? ''))),
  fc.constant(
    new Step('25 hours pass', isPlaced, async (model, { shop }) => {
      model.hasExpired = true;
      await checkNow(shop, model.orderId ?? '', 25);
    }),
  ),
  fc.constant(
    new Step('all comes to rest', isPlaced, (model, { shop }) =>
      untilAtRest(
        shop,
        model.orderId ?? '',
        model.payments.map(({ id }) => id),
        20_000,
      ),
    ),
  ),
  fc.nat(5).map(
    (number) =>
      new Step(
        'kill a worker',
        (model) => isPlaced(model) && number === 0,
        (_model, { doomed }) => doomed.kill(),
      ),
  ),
];

/** Delivers an earlier event of this order once more, late and out of order. */
async function repeat({ payments, orderId = '' }: Model, { shop }: World, number: number): Promise<void> {
  const names = [orderId, ...payments.map(({ id }) => id)];
  const earlier = (['stripe', 'paypal'] as const)
    .flatMap((provider) => shop.sandbox.webhooks.list(provider).slice(0, 400))
    .filter(({ body, status }) => status !== 'dropped' && names.some((name) => body.includes(name)));
  const chosen = earlier[number % Math.max(1, earlier.length)];
  if (!chosen) return;
  const { provider, eventId, type, body } = chosen;
  shop.sandbox.webhooks.send({ provider, eventId, type, body });
}
