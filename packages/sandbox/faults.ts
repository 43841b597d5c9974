import { setTimeout as sleep } from 'node:timers/promises';

export const faultTargets = ['stripe', 'paypal', 'smtp', 'webhooks'] as const;
export type FaultTarget = (typeof faultTargets)[number];

export const faultModes = ['error', 'timeout', 'slow', 'duplicate', 'reorder', 'drop'] as const;
export type FaultMode = (typeof faultModes)[number];

/** One way in which the outside world misbehaves, until `remaining` runs out or it is healed. */
export interface Fault {
  id: number;
  target: FaultTarget;
  mode: FaultMode;
  /** Interactions still to spoil; null means until healed. */
  remaining: number | null;
  /** slow: the delay · timeout: when the silent connection is cut · reorder: how long events are held. */
  ms?: number;
  /** Status of the answer: an HTTP status, or for smtp 451 (try later) or 550 (never). */
  code?: number;
  /** error, timeout, drop of a provider call: fail `before` (default) or `after` the work was done. */
  when?: 'before' | 'after';
  /** Spoil only what matches: a request path, an event type, a mail recipient. */
  match?: string;
  /** duplicate: how often a webhook is delivered (default 2). */
  copies?: number;
  spoiled: number;
}

const modesOf: Record<FaultTarget, readonly FaultMode[]> = {
  stripe: ['error', 'timeout', 'slow', 'drop'],
  paypal: ['error', 'timeout', 'slow', 'drop'],
  smtp: ['error', 'timeout', 'slow', 'drop'],
  webhooks: faultModes,
};

/** The faults in force. `take` hands one out and counts it; the caller misbehaves accordingly. */
export class Faults {
  #nextId = 1;
  #active: Fault[] = [];

  list(): Fault[] {
    return this.#active.map((fault) => ({ ...fault }));
  }

  /** @throws RangeError with a message for the caller when the wish makes no sense */
  add(wish: Record<string, unknown>): Fault {
    const target = oneOf(faultTargets, wish.target, 'target');
    const mode = oneOf(faultModes, wish.mode, 'mode');
    if (!modesOf[target].includes(mode)) {
      throw new RangeError(`${target} knows no fault '${mode}', only ${modesOf[target].join(', ')}`);
    }
    const fault: Fault = {
      id: this.#nextId++,
      target,
      mode,
      remaining: positive(wish.count, 'count') ?? null,
      ms: positive(wish.ms, 'ms'),
      code: positive(wish.code, 'code'),
      when: wish.when === undefined ? undefined : oneOf(['before', 'after'] as const, wish.when, 'when'),
      match: typeof wish.match === 'string' ? wish.match : undefined,
      copies: positive(wish.copies, 'copies'),
      spoiled: 0,
    };
    this.#active.push(fault);
    return { ...fault };
  }

  heal(): void {
    this.#active = [];
  }

  /** The fault that spoils this interaction, if any; `subject` is what `match` is looked for in. */
  take(target: FaultTarget, subject = ''): Fault | undefined {
    if (this.#active.length === 0) return undefined;
    const fault = this.#active.find((f) => f.target === target && (!f.match || subject.includes(f.match)));
    if (!fault) return undefined;
    fault.spoiled += 1;
    if (fault.remaining !== null) {
      fault.remaining -= 1;
      if (fault.remaining <= 0) this.#active = this.#active.filter((f) => f !== fault);
    }
    return { ...fault };
  }
}

/** Waits as a slow provider would. */
export async function dawdle(fault: Fault, signal?: AbortSignal): Promise<void> {
  await sleep(fault.ms ?? 2000, undefined, { signal, ref: false }).catch(() => undefined);
}

function oneOf<T extends string>(allowed: readonly T[], value: unknown, name: string): T {
  const found = allowed.find((item) => item === value);
  if (!found) throw new RangeError(`${name} must be one of ${allowed.join(', ')}`);
  return found;
}

function positive(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    throw new RangeError(`${name} must be a positive whole number`);
  }
  return value;
}
