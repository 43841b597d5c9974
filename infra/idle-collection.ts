import { performance } from 'node:perf_hooks';

const CHECK_MS = 5_000;
/** The share of an event loop's time below which it counts as idle. */
const IDLE = 0.1;

interface Probes {
  collect?: ((options: NodeJS.GCOptions) => unknown) | undefined;
  /** The busy share of the event loop's time since the last call. */
  busyShare?: () => number;
}

/**
 * Gives the memory of a load back once it is over, 25 to 60 MiB: V8 collects as memory is allocated, so an idle process would
 * keep what its last busy seconds took. Blocks an idle process for about 50 ms. Needs `--expose-gc`.
 */
export function collectWhenIdle({ collect = globalThis.gc, busyShare = loopShare() }: Probes = {}): void {
  if (!collect) return;
  let wasBusy = false;
  const check = () => {
    if (busyShare() >= IDLE) wasBusy = true;
    else if (wasBusy) {
      wasBusy = false;
      // The regular flavor keeps the freed pages for later.
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    }
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
