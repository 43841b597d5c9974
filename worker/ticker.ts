interface Ticker {
  runWithin(ms: number): void;
  stop(): void;
}

/** Runs `task` now, and again `ms` after each run ends or after the delay it returns. */
export function startTicking(
  ms: number,
  task: () => Promise<number | undefined>,
  onError: (error: unknown) => void,
): Ticker {
  let timer: NodeJS.Timeout | undefined;
  let nextAt = 0;
  let wantedAt = Number.POSITIVE_INFINITY;
  let isRunning = false;
  let isStopped = false;

  function schedule(at: number): void {
    if (isStopped) return;
    clearTimeout(timer);
    nextAt = at;
    timer = setTimeout(run, at - performance.now());
  }

  async function run(): Promise<void> {
    isRunning = true;
    wantedAt = Number.POSITIVE_INFINITY;
    const nextInMs = await task().catch((error: unknown) => {
      onError(error);
      return undefined;
    });
    isRunning = false;
    schedule(Math.min(performance.now() + (nextInMs ?? ms), wantedAt));
  }

  void run();
  return {
    runWithin(inMs) {
      const at = performance.now() + inMs;
      if (isRunning) wantedAt = Math.min(wantedAt, at);
      else if (at < nextAt) schedule(at);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
