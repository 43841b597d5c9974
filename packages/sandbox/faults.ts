import { setTimeout as sleep } from 'node:timers/promises';
import { oneOf, optionalPositive, type Switch, Switches } from './switches.ts';

const faultTargets = ['stripe', 'paypal', 'smtp', 'webhooks'] as const;
type FaultTarget = (typeof faultTargets)[number];

const faultModes = ['error', 'timeout', 'slow', 'duplicate', 'reorder', 'drop'] as const;
type FaultMode = (typeof faultModes)[number];

/** A failure to inject. `match` is part of a method and path, an event type, or a recipient. */
export interface Fault extends Switch {
  target: FaultTarget;
  mode: FaultMode;
  /** slow, error: the delay · timeout: when the silent connection is cut · reorder: how long events are held. */
  ms?: number;
  /** Status of the answer: an HTTP status, or for smtp 451 (try later) or 550 (never). */
  code?: number;
  /** A provider call: fail or wait `before` (default) or `after` the work is done. */
  when?: 'before' | 'after';
  /** duplicate: how often a webhook is delivered (default 2). */
  copies?: number;
  /** Aborted when the fault is removed. Set for the interaction that it applies to. */
  removed?: AbortSignal;
}

const modesOf: Record<FaultTarget, readonly FaultMode[]> = {
  stripe: ['error', 'timeout', 'slow', 'drop'],
  paypal: ['error', 'timeout', 'slow', 'drop'],
  smtp: ['error', 'timeout', 'slow', 'drop'],
  webhooks: faultModes,
};

export class Faults extends Switches<Fault> {
  readonly #removals = new Map<number, AbortController>();

  /** @throws RangeError with a message for the caller when the request is invalid */
  add(request: Record<string, unknown>): Fault {
    const target = oneOf(faultTargets, request.target, 'target');
    const mode = oneOf(faultModes, request.mode, 'mode');
    if (!modesOf[target].includes(mode)) {
      throw new RangeError(`mode of ${target} must be one of ${modesOf[target].join(', ')}`);
    }
    const id = this.nextId();
    this.#removals.set(id, new AbortController());
    return this.insert({
      id,
      matched: 0,
      target,
      mode,
      remaining: optionalPositive(request.count, 'count') ?? null,
      ms: optionalPositive(request.ms, 'ms'),
      code: optionalPositive(request.code, 'code'),
      when:
        request.when === undefined ? undefined : oneOf(['before', 'after'] as const, request.when, 'when'),
      match: typeof request.match === 'string' ? request.match : undefined,
      copies: optionalPositive(request.copies, 'copies'),
    });
  }

  consume(target: FaultTarget, subject = ''): Fault | undefined {
    const fault = this.find((active) => active.target === target, subject);
    return fault && { ...fault, removed: this.#removals.get(fault.id)?.signal };
  }

  /** Removes one fault and ends its delays. */
  remove(id: number): void {
    this.drop((fault) => fault.id === id);
    this.#removals.get(id)?.abort();
    this.#removals.delete(id);
  }

  override clear(): void {
    for (const id of [...this.#removals.keys()]) this.remove(id);
  }
}

/** Waits for the fault's delay, or until the fault is removed. */
export async function delay({ ms = 2000, removed }: Fault, hungUp?: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([removed, hungUp].filter((given) => given !== undefined));
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
