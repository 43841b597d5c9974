import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const CHECK_MS = 5_000;
/** Idle checks in a row before a collection: after one, code that V8 had optimized costs twice as much for a second or two. */
const IDLE_CHECKS = 4;
/**
 * An event loop that is busy for less than this share of its time is idle. Probes and timers alone take up to 0.02; a payment
 * every 250 ms, which a collection would delay by 100 ms, takes 0.06.
 */
const IDLE = 0.04;
/** From this share on, there is garbage to collect again. */
const LOADED = 0.1;

interface Probes {
  collect?: ((options: NodeJS.GCOptions) => unknown) | undefined;
  /** The busy share of the event loop's time since the last call. */
  busyShare?: () => number;
}

/**
 * Makes major collections rarer: each delays payments by 30 to 60 ms. V8 reads both flags at collections, so they can be
 * set here; `NODE_OPTIONS` does not accept them.
 */
export function collectSeldom(): void {
  // A small heap grows by a third by default, this one doubles.
  setFlagsFromString('--heap-growing-percent=100');
  // After a burst, V8 allocates what outlived two minor collections in the old generation directly, and so promotes all that
  // this refers to (docs/decisions/0022-young-closures.md): 21 kB for each watched order, otherwise 8.
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Releases memory after a load, 25 to 60 MiB. V8 only collects garbage while memory is being allocated, so an idle process
 * would keep what it used under load. Blocks the idle event loop for 50 to 200 ms. Requires `--expose-gc`.
 */
export function collectWhenIdle({ collect = globalThis.gc, busyShare = loopShare() }: Probes = {}): void {
  if (!collect) return;
  let idleChecks = IDLE_CHECKS;
  const check = () => {
    const share = busyShare();
    const isDone = idleChecks >= IDLE_CHECKS;
    idleChecks = share < (isDone ? LOADED : IDLE) ? idleChecks + 1 : 0;
    // The regular flavor keeps freed pages for reuse.
    if (idleChecks === IDLE_CHECKS) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  };
  setInterval(check, CHECK_MS).unref();
}

function loopShare(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
