import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '@querywright/sandbox/listen';

const CHECK_EVERY_MS = 200;

export interface LoadBalancer {
  url: string;
  /** The ports of the processes that get requests now. */
  ready(): number[];
  /** Requests that a process did not answer. */
  lost: string[];
  close(): Promise<void>;
}

/** Round robin over the processes whose `/readyz` is 200, on kept-alive connections, without retries. */
export async function startLoadBalancer(ports: number[]): Promise<LoadBalancer> {
  const agent = new http.Agent({ keepAlive: true });
  const lost: string[] = [];
  const isUp = new Set<number>();
  const ready = () => ports.filter((port) => isUp.has(port));
  let turn = 0;
  const server = http.createServer((req, res) => {
    const candidates = ready();
    const port = candidates[turn++ % Math.max(1, candidates.length)];
    const { method, url } = req;
    const headers = { ...req.headers, connection: 'keep-alive' };
    const upstream = http.request({ port, method, path: url, headers, agent }, (answer) => {
      const { connection: _, ...endToEnd } = answer.headers;
      res.writeHead(answer.statusCode ?? 502, endToEnd);
      answer.pipe(res);
    });
    upstream.on('error', (error) => {
      lost.push(`${method} ${url} at ${port}: ${error.message}`);
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end();
    });
    req.pipe(upstream);
  });
  const check = async (port: number) => {
    if (await isReady(port)) isUp.add(port);
    else isUp.delete(port);
  };
  const ended = new AbortController();
  // One check after the other: an earlier one that answers late must not undo a later one.
  const watch = async (port: number) => {
    while (!ended.signal.aborted) {
      await sleep(CHECK_EVERY_MS);
      await check(port);
    }
  };
  await Promise.all(ports.map(check));
  const watching = ports.map(watch);
  const port = await listen(server);
  return {
    url: `http://localhost:${port}`,
    ready,
    lost,
    close: async () => {
      ended.abort();
      await Promise.all(watching);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://localhost:${port}/readyz`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 200;
}
