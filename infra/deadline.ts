export class DeadlineExceeded extends Error {
  constructor(ms: number) {
    super(`No answer within ${ms} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/**
 * The promise's value. An answer that arrived while this process was stalled, e.g. at its CPU limit, is in time: Node.js runs
 * expired timers before it reads sockets, so the deadline is checked after the reading, in `setImmediate`.
 * @throws DeadlineExceeded if it is still pending after `ms`
 * @see https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new DeadlineExceeded(ms))), ms);
  });
  return Promise.race([promise, deadline]).finally(() => clearTimeout(timer));
}
