import { setTimeout as sleep } from 'node:timers/promises';
import { oneOf, optionalPositive, type Switch, Switches } from './switches.ts';

const faultTargets = ['stripe', 'paypal', 'smtp', 'webhooks'] as const;
export type FaultTarget = (typeof faultTargets)[number];

const faultModes = ['error', 'timeout', 'slow', 'duplicate', 'reorder', 'drop'] as const;
export type FaultMode = (typeof faultModes)[number];

/** A way in which the outside world fails. `match` is part of a method and path, an event type, or a recipient. */
export interface Fault extends Switch {
  target: FaultTarget;
  mode: FaultMode;
  /** slow, error: the delay · timeout: when the silent connection is cut · reorder: how long events are held. */
  ms?: number;
  /** Status of the answer: an HTTP status, or for smtp 451 (try later) or 550 (never). */
  code?: number;
  /** A provider call: fail or wait `before` (default) or `after` the work was done. */
  when?: 'before' | 'after';
  /** duplicate: how often a webhook is delivered (default 2). */
  copies?: number;
}

const modesOf: Record<FaultTarget, readonly FaultMode[]> = {
  stripe: ['error', 'timeout', 'slow', 'drop'],
  paypal: ['error', 'timeout', 'slow', 'drop'],
  smtp: ['error', 'timeout', 'slow', 'drop'],
  webhooks: faultModes,
};

export class Faults extends Switches<Fault> {
  /** @throws RangeError with a message for the caller when the request is invalid */
  add(request: Record<string, unknown>): Fault {
    const target = oneOf(faultTargets, request.target, 'target');
    const mode = oneOf(faultModes, request.mode, 'mode');
    if (!modesOf[target].includes(mode)) {
      throw new RangeError(`mode of ${target} must be one of ${modesOf[target].join(', ')}`);
    }
    return this.insert({
      id: this.nextId(),
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
    return this.find((fault) => fault.target === target, subject);
  }
}

/** Waits as long as the fault says. */
export async function delay(fault: Fault, signal?: AbortSignal): Promise<void> {
  await sleep(fault.ms ?? 2000, undefined, { signal, ref: false }).catch(() => undefined);
}
