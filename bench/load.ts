import autocannon from 'autocannon';

export interface Request {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Throughput {
  perSecond: number;
  p99Ms: number;
  failed: number;
}

/** The rate of parts that did the same amount of work one after another. */
export function meanRate(perSecond: number[]): number {
  return perSecond.length / perSecond.reduce((seconds, rate) => seconds + 1 / rate, 0);
}

/** What parts that were sent one after another achieved in all. */
export function together(parts: Throughput[]): Throughput {
  return {
    perSecond: meanRate(parts.map(({ perSecond }) => perSecond)),
    p99Ms: Math.max(...parts.map(({ p99Ms }) => p99Ms)),
    failed: parts.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Sends each prepared request once, over `connections` connections. */
export async function sendAll(url: string, requests: Request[], connections = 32): Promise<Throughput> {
  let next = 0;
  let failed = 0;
  const started = performance.now();
  // autocannon's own duration is rounded up to a full second.
  let lastAnswer = started;
  const result = await autocannon({
    url,
    connections,
    amount: requests.length,
    method: 'POST',
    requests: [
      {
        setupRequest: (request) => {
          const { path, headers, body } = requests[next++ % requests.length] ??
            requests[0] ?? { path: '/', headers: {}, body: '' };
          return { ...request, method: 'POST', path, headers, body };
        },
        onResponse: (status) => {
          lastAnswer = performance.now();
          if (status !== 200) failed++;
        },
      },
    ],
  });
  const seconds = (lastAnswer - started) / 1000;
  return { perSecond: requests.length / seconds, p99Ms: result.latency.p99, failed: failed + result.errors };
}
