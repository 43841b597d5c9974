import {
  type Behaviour,
  type BehaviourName,
  type BehaviourRequest,
  behaviourNames,
  behaviours,
} from '../behaviours.ts';

const MAX_MS = 2000;

/** A random behaviour for fault and fuzz runs, which ends by itself. @param random from 0 up to 1 */
export function drawBehaviour(
  random: () => number,
  names: readonly BehaviourName[] = behaviourNames,
): BehaviourRequest {
  const name = pick(names, random);
  const row: Behaviour = behaviours[name];
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
