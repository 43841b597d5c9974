export type Later = (ms: number | undefined, work: () => void) => void;

/** Deferred work. What is due after the sandbox has closed never happens. */
export class Timers {
  readonly #pending = new Set<NodeJS.Timeout>();

  /** Without a time the work is left to a control call. */
  later: Later = (ms, work) => {
    if (ms === undefined) return;
    const timer = setTimeout(() => {
      this.#pending.delete(timer);
      work();
    }, ms);
    this.#pending.add(timer);
  };

  close(): void {
    for (const timer of this.#pending) clearTimeout(timer);
  }
}
