export interface Ticker {
  stop(): void;
}

/** Runs `task` now and then every `ms` after it has finished; an error is reported and the ticking goes on. */
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
