export interface Ticker {
  stop(): void;
}

/** Runs `task` now and again `ms` after each run has ended, also after an error. */
export function startTicking(
  ms: number,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): Ticker {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const run = async () => {
    await task().catch(onError);
    if (!stopped) timer = setTimeout(run, ms);
  };
  void run();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
