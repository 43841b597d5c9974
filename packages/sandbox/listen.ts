import { randomInt } from 'node:crypto';
import net, { type AddressInfo, type Server } from 'node:net';

/** Listens, on any free port by default. Returns the port. */
export function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Operating systems assign ports from 32768 on, so that no port below is taken before its user listens. */
const FREE_PORTS = { from: 20_000, to: 32_000 };

export async function freePort(): Promise<number> {
  const server = net.createServer();
  const chosen = randomInt(FREE_PORTS.from, FREE_PORTS.to);
  const isFree = await listen(server, chosen).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      return false;
    },
  );
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return chosen;
}
