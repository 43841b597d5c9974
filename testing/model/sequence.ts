import fc from 'fast-check';
import { findOrder } from '../../db/orders.ts';
import { compareWithProvider } from '../../orders/compare-with-provider.ts';
import { stories } from '../crash/stories.ts';
import { buyerSteps } from './buyer-steps.ts';
import { fateSteps } from './fate-steps.ts';
import { judgeOrder } from './judge.ts';
import { isExact, type Model, newModel, owed, owedForMismatch, taken } from './model.ts';
import { providerSteps } from './provider-steps.ts';
import { checkNow, untilAtRest } from './rest.ts';
import { staffSteps } from './staff-steps.ts';
import { newWorld, refresh, type World } from './world.ts';

const REST_MS = 90_000;
/** A check may find an approved payment, whose capture is declined: then the next one ends the order. */
const LAST_CHECKS = 2;

/** How a sequence begins: mostly with money, so that something can go wrong. */
export const beginnings = fc.constantFrom(...Object.keys(stories));

/** Anything that may happen to one order afterwards. */
export function sequences(maxCommands: number) {
  return fc.commands([...buyerSteps, ...buyerSteps, ...providerSteps, ...fateSteps, ...staffSteps], {
    maxCommands,
    size: 'max',
  });
}

/** Runs one sequence on a new order. Returns the order's end. @throws Error listing everything that is wrong once nothing is pending */
export async function runSequence(
  stage: Pick<World, 'shop' | 'doomed'>,
  beginning: string,
  steps: Iterable<fc.AsyncCommand<Model, World>>,
): Promise<string> {
  const world = newWorld(stage);
  const model = newModel();
  for (const act of stories[beginning] ?? []) {
    await act(model, world);
    refresh(model, world.shop);
  }
  await fc.asyncModelRun(() => ({ model, real: world }), steps);
  const { orderId } = model;
  if (!orderId) throw new Error('no order came about');
  const violations = [...world.violations, ...(await judge(world, orderId, model))];
  if (violations.length > 0) throw new Error(`order ${orderId}:\n  ${violations.join('\n  ')}`);
  const money = taken(model);
  if (money.length === 0) return 'unpaid';
  if (money.length > 1) return 'paid twice';
  const settling = money.find((payment) => isExact(model, payment));
  return (settling ? owed(model, settling) : owedForMismatch(model, money)).status;
}

async function judge(world: World, orderId: string, model: Model): Promise<string[]> {
  let open = await restOf(world, orderId, model);
  const checks = model.mayMissEvents || model.hasExpired ? LAST_CHECKS : 0;
  for (let check = 1; check <= checks && open.length === 0; check++) {
    await checkNow(world.shop, orderId);
    open = await restOf(world, orderId, model);
  }
  if (open.length > 0) return open.map((what) => `never done: ${what}`);
  const before = JSON.stringify(model.payments);
  const violations = [
    ...(await judgeOrder(world.shop, orderId, model)),
    ...(await wrongComparison(world, orderId)),
  ];
  refresh(model, world.shop);
  // A payment or refund that was pending has ended meanwhile.
  return JSON.stringify(model.payments) === before ? violations : judge(world, orderId, model);
}

/** `ops reconcile` has nothing to report, except an approval that PayPal would not let us capture. */
async function wrongComparison({ shop }: Pick<World, 'shop'>, orderId: string, tries = 2): Promise<string[]> {
  const order = await findOrder(shop.db, orderId);
  // A remaining fault may hit the comparison, which then shows nothing.
  const compared = order && (await compareWithProvider(shop.workerParts, order).catch(() => undefined));
  const { difference } = compared ?? {};
  if (!difference || difference.what.startsWith('approved by the buyer')) return [];
  // The provider may show an earlier state once.
  if (tries > 1) return wrongComparison({ shop }, orderId, tries - 1);
  return [`differs from the provider: ${difference.what}`];
}

/** Repeats until the providers' side has not changed either: a pending refund may end meanwhile, and is then reported. */
async function restOf(world: World, orderId: string, model: Model): Promise<string[]> {
  for (;;) {
    refresh(model, world.shop);
    const before = JSON.stringify(model.payments);
    const ids = model.payments.map(({ id }) => id);
    const open = await untilAtRest(world.shop, orderId, ids, REST_MS);
    refresh(model, world.shop);
    if (open.length > 0 || JSON.stringify(model.payments) === before) return open;
  }
}
