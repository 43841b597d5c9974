import net from 'node:net';
import { listen } from '@querywright/sandbox/listen';

export interface TcpProxy {
  port: number;
  /** Delivers nothing more on the open connections, and closes none, as a firewall that has forgotten them. */
  forget(): void;
  /** From now on new connections get all their answers. */
  deliverAll(): void;
  /** The connections whose further answers were dropped. */
  silenced(): number;
  close(): void;
}

/**
 * Forwards connections to a local port, the client's bytes only after `delayMs`. Each gets a limited number of chunks,
 * then nothing, and stays open.
 */
export async function startTcpProxy(
  target: number,
  { answers = Number.POSITIVE_INFINITY, delayMs = 0 }: { answers?: number; delayMs?: number } = {},
): Promise<TcpProxy> {
  const pairs = new Set<[net.Socket, net.Socket]>();
  let allowed = answers;
  let silenced = 0;
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    const pair: [net.Socket, net.Socket] = [client, upstream];
    pairs.add(pair);
    for (const socket of pair) socket.on('error', () => {}).on('close', () => pairs.delete(pair));
    setTimeout(() => client.pipe(upstream), delayMs);
    if (allowed === Number.POSITIVE_INFINITY) return void upstream.pipe(client);
    let left = allowed;
    upstream.on('data', (piece) => {
      left -= 1;
      if (left >= 0) client.write(piece);
      else if (left === -1) silenced += 1;
    });
  });
  return {
    port: await listen(server, 0, '127.0.0.1'),
    forget() {
      for (const [client, upstream] of pairs) {
        client.unpipe().pause();
        upstream.unpipe().pause();
      }
    },
    deliverAll() {
      allowed = Number.POSITIVE_INFINITY;
    },
    silenced: () => silenced,
    close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
