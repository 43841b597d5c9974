import fc from 'fast-check';
import { findOrder } from '../../db/orders.ts';
import { runOps } from '../operator.ts';
import { cancelAtDesk, refundAtDesk } from './at-desk.ts';
import { keepPayment } from './keep-payment.ts';
import { type Decided, type Model, PRICE, taken } from './model.ts';
import { untilAtRest } from './rest.ts';
import { Step } from './step.ts';
import type { World } from './world.ts';

const REST_MS = 20_000;
const isPlaced = ({ orderId }: Model) => orderId !== undefined;

/** What operators do about an order, by their commands and at the desk. */
export const staffSteps: fc.Arbitrary<Step>[] = [
  fc
    .constantFrom<Decided[]>('paid', 'refunded', 'canceled')
    .map(
      (status) =>
        new Step(`staff decide ${status}`, isPlaced, (model, world) => decide(model, world, status)),
    ),
  fc.constant(new Step('staff reconcile', isPlaced, reconcile)),
  fc.tuple(fc.constantFrom(PRICE, 1_000, 50_000), fc.nat(3)).map(
    ([cents, number]) =>
      new Step(
        `staff refund ${cents} of #${number} at the desk`,
        (model) => taken(model).length > 0,
        (model, world) => refundAtDesk(model, world, cents, number),
      ),
  ),
  fc.constant(new Step('staff keep a second payment', (model) => taken(model).length > 1, keepPayment)),
  fc.constant(
    new Step(
      'staff cancel at the desk',
      (model) => isPlaced(model) && taken(model).length === 0,
      cancelAtDesk,
    ),
  ),
];

/** Staff look at an order that has come to rest, and decide about the money that it shows. */
async function decide(model: Model, world: World, status: Decided): Promise<void> {
  const { shop, violations } = world;
  const { orderId = '', payments } = model;
  const ids = payments.map(({ id }) => id);
  if ((await untilAtRest(shop, orderId, ids, REST_MS)).length > 0) return;
  const before = await findOrder(shop.db, orderId);
  const { code, err } = await runOps(shop, ['order', 'decide', orderId, status, '--yes']);
  const isForeign = Object.values(before?.facts.captures ?? {}).some(({ currency }) => currency !== 'USD');
  const isRefused = status === 'paid' && isForeign;
  if (isRefused && code === 0) violations.push('money in another currency was accepted');
  if (code !== 0) {
    if (before?.status === 'review' && !isRefused)
      violations.push(`an order in review cannot be decided: ${err}`);
    return;
  }
  await untilAtRest(shop, orderId, ids, REST_MS);
  model.decision = { status, payments: Object.keys(before?.facts.captures ?? {}) };
  const after = await findOrder(shop.db, orderId);
  if (before?.status === 'review' && after?.status === 'review')
    violations.push(`still in review: decided ${status}`);
  model.wasAccepted ||= status === 'paid';
}

/** Settles the order by what its provider says now, so that nothing withheld remains. */
async function reconcile(model: Model, { shop, violations }: World): Promise<void> {
  const { orderId = '', payments } = model;
  const ids = payments.map(({ id }) => id);
  if ((await untilAtRest(shop, orderId, ids, REST_MS)).length > 0) return;
  const { code, err } = await runOps(shop, ['order', 'reconcile', orderId, '--yes']).catch(
    (error: Error) => ({
      code: 1,
      err: error.message,
    }),
  );
  if (code !== 0 && !model.mayFail) violations.push(`reconciling ended with ${code}: ${err}`);
}
