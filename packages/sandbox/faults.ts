import { setTimeout as sleep } from 'node:timers/promises';

export const faultTargets = ['stripe', 'paypal', 'smtp', 'webhooks'] as const;
export type FaultTarget = (typeof faultTargets)[number];

export const faultModes = ['error', 'timeout', 'slow', 'duplicate', 'reorder', 'drop'] as const;
export type FaultMode = (typeof faultModes)[number];

/** A way in which the outside world fails, until `remaining` runs out or the fault is removed. */
export interface Fault {
  id: number;
  target: FaultTarget;
  mode: FaultMode;
  /** Interactions still to match; null: until removed. */
  remaining: number | null;
  /** slow: the delay · timeout: when the silent connection is cut · reorder: how long events are held. */
  ms?: number;
  /** Status of the answer: an HTTP status, or for smtp 451 (try later) or 550 (never). */
  code?: number;
  /** error, timeout, drop of a provider call: fail `before` (default) or `after` the work was done. */
  when?: 'before' | 'after';
  /** Match only this: part of a method and path, an event type, a mail recipient. */
  match?: string;
  /** duplicate: how often a webhook is delivered (default 2). */
  copies?: number;
  matched: number;
}

const modesOf: Record<FaultTarget, readonly FaultMode[]> = {
  stripe: ['error', 'timeout', 'slow', 'drop'],
  paypal: ['error', 'timeout', 'slow', 'drop'],
  smtp: ['error', 'timeout', 'slow', 'drop'],
  webhooks: faultModes,
};

/** The faults in force. `consume` returns the one to apply and counts it. */
export class Faults {
  #nextId = 1;
  #active: Fault[] = [];

  list(): Fault[] {
    return this.#active.map((fault) => ({ ...fault }));
  }

  /** @throws RangeError with a message for the caller when the request is invalid */
  add(request: Record<string, unknown>): Fault {
    const target = oneOf(faultTargets, request.target, 'target');
    const mode = oneOf(faultModes, request.mode, 'mode');
    if (!modesOf[target].includes(mode)) {
      throw new RangeError(`mode of ${target} must be one of ${modesOf[target].join(', ')}`);
    }
    const fault: Fault = {
      id: this.#nextId++,
      target,
      mode,
      remaining: positive(request.count, 'count') ?? null,
      ms: positive(request.ms, 'ms'),
      code: positive(request.code, 'code'),
      when:
        request.when === undefined ? undefined : oneOf(['before', 'after'] as const, request.when, 'when'),
      match: typeof request.match === 'string' ? request.match : undefined,
      copies: positive(request.copies, 'copies'),
      matched: 0,
    };
    this.#active.push(fault);
    return { ...fault };
  }

  clear(): void {
    this.#active = [];
  }

  /** The fault for this interaction, if any; `match` is looked for in `subject`. */
  consume(target: FaultTarget, subject = ''): Fault | undefined {
    if (this.#active.length === 0) return undefined;
    const fault = this.#active.find((f) => f.target === target && (!f.match || subject.includes(f.match)));
    if (!fault) return undefined;
    fault.matched += 1;
    if (fault.remaining !== null) {
      fault.remaining -= 1;
      if (fault.remaining <= 0) this.#active = this.#active.filter((f) => f !== fault);
    }
    return { ...fault };
  }
}

/** Waits as long as the fault says. */
export async function delay(fault: Fault, signal?: AbortSignal): Promise<void> {
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
