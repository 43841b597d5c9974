export interface Ticker {
  stop(): void;
}

/** Runs `task` now and again `ms` after each run has ended, or after the delay that it returns. */
export function startTicking(
  ms: number,
  task: () => Promise<number | undefined>,
  onError: (error: unknown) => void,
): Ticker {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const run = async () => {
    const nextInMs = await task().catch((error: unknown) => {
      onError(error);
      return undefined;
    });
    if (!stopped) timer = setTimeout(run, nextInMs ?? ms);
  };
  void run();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
