import {
  type Behavior,
  type BehaviorName,
  type BehaviorRequest,
  behaviorNames,
  behaviors,
} from '../behaviors.ts';

const MAX_MS = 2000;

/** A random behavior for fault and fuzz runs, which ends by itself. @param random from 0 up to 1 */
export function drawBehavior(
  random: () => number,
  names: readonly BehaviorName[] = behaviorNames,
): BehaviorRequest {
  const name = pick(names, random);
  const row: Behavior = behaviors[name];
  return {
    name,
    count: 1,
    ...(row.values ? { value: pick(row.values, random) } : {}),
    ...(row.ms === undefined ? {} : { ms: 1 + Math.floor(random() * MAX_MS) }),
  };
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('Nothing to draw from');
  return item;
}
