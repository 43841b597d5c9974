import http from 'node:http';
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
  let ready: number[] = [];
  let turn = 0;
  const server = http.createServer((req, res) => {
    const port = ready[turn++ % Math.max(1, ready.length)];
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
  const check = async () => {
    const answers = await Promise.all(ports.map(isReady));
    ready = ports.filter((_, index) => answers[index]);
  };
  await check();
  const timer = setInterval(() => void check(), CHECK_EVERY_MS);
  const port = await listen(server);
  return {
    url: `http://localhost:${port}`,
    ready: () => ready,
    lost,
    close: async () => {
      clearInterval(timer);
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
