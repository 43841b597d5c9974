import { writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { freePort, listen } from '@querywright/sandbox/listen';
import { startChild } from '../child-process.ts';
import { ask } from './standby.ts';

interface Proxy {
  /** Leads to the current primary. */
  url: string;
  stop(): Promise<void>;
}

/**
 * HAProxy in front of the servers, as with Patroni: it checks each with `GET /primary`, forwards to the primary, and closes
 * the connections to a server that is no longer the primary.
 */
export async function startHaproxy(folder: string, urls: string[]): Promise<Proxy> {
  const port = await freePort();
  const answerers = urls.map((url) => http.createServer((_, response) => void answer(url, response)));
  const checks = await Promise.all(answerers.map((answerer) => listen(answerer, 0, '127.0.0.1')));
  const servers = urls.map(
    (url, index) => `  server s${index} 127.0.0.1:${new URL(url).port} check port ${checks[index]}`,
  );
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  );
  const child = startChild('haproxy', ['-db', '-f', file]);
  const url = new URL(urls[0] ?? '');
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      await child.kill();
      for (const answerer of answerers) {
        answerer.closeAllConnections();
        answerer.close();
      }
    },
  };
}

async function answer(url: string, response: http.ServerResponse): Promise<void> {
  const rows = await ask(url, 'select pg_is_in_recovery() as "isStandby"').catch(() => []);
  response.writeHead(rows[0]?.isStandby === false ? 200 : 503).end();
}
