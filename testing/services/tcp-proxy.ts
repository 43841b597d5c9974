import net from 'node:net';
import { listen } from '@querywright/sandbox/listen';

export interface TcpProxy {
  port: number;
  /** Delivers nothing more on the connections that are open now, and closes none: as a firewall that forgot them. */
  forget(): void;
  close(): void;
}

/** Passes connections on to a local port. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<[net.Socket, net.Socket]>();
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    const pair: [net.Socket, net.Socket] = [client, upstream];
    pairs.add(pair);
    for (const socket of pair) socket.on('error', () => {}).on('close', () => pairs.delete(pair));
    client.pipe(upstream).pipe(client);
  });
  return {
    port: await listen(server, 0, '127.0.0.1'),
    forget() {
      for (const [client, upstream] of pairs) {
        client.unpipe().pause();
        upstream.unpipe().pause();
      }
    },
    close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
