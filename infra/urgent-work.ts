/** A job that hangs, e.g. at a provider, holds up the rest no longer than this. */
const MAX_WAIT_MS = 20;

let running = 0;
const waiting = new Set<() => void>();

/** Runs work that a buyer waits for. Other work yields ({@link afterUrgentWork}): it needs the same processors and database. */
export async function runUrgently<T>(work: () => Promise<T>): Promise<T> {
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    if (running === 0) for (const resume of waiting) resume();
  }
}

/** Starts the work once no urgent work is running in this process, after {@link MAX_WAIT_MS} in any case. */
export async function afterUrgentWork<T>(work: () => Promise<T>): Promise<T> {
  if (running > 0) await untilNoneRuns();
  return work();
}

function untilNoneRuns(): Promise<void> {
  return new Promise<void>((resolve) => {
    const resume = () => {
      clearTimeout(timer);
      waiting.delete(resume);
      resolve();
    };
    const timer = setTimeout(resume, MAX_WAIT_MS);
    waiting.add(resume);
  });
}
