import net from 'node:net';
import { LaunchError, type LauncherSettings } from './settings.ts';

/** @throws LaunchError naming the port and the setting that moves it */
export async function requireFreePorts(settings: LauncherSettings): Promise<void> {
  const taken = new Map<number, string>();
  for (const [name, port] of [
    ['PORT', settings.port],
    ['SANDBOX_PORT', settings.sandboxPort],
    ['SANDBOX_SMTP_PORT', settings.sandboxSmtpPort],
  ] as const) {
    const twin = taken.get(port);
    if (twin) throw new LaunchError(`${twin} and ${name} are both ${port}. Set one of them to another port.`);
    taken.set(port, name);
    const trouble = await troubleWith(port);
    if (trouble) throw new LaunchError(`${trouble} Set ${name} to another one, or end what uses it.`);
  }
}

/** Both the wildcard and loopback are asked, one after the other: a program on either would take our visitors. */
async function troubleWith(port: number): Promise<string | undefined> {
  for (const host of [undefined, '127.0.0.1']) {
    const code = await listenOn(port, host);
    if (code === 'EACCES') return `Port ${port} may not be used by this user.`;
    if (code) return `Port ${port} is in use.`;
  }
  return undefined;
}

function listenOn(port: number, host: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** A port that nobody uses now, for the database that only our own processes talk to. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new LaunchError('No port is free');
  return address.port;
}
