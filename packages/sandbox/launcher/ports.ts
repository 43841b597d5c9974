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
    const problem = await problemWith(port);
    if (problem) throw new LaunchError(`${problem} Set ${name} to another one, or end what uses it.`);
  }
}

/** Returns why the port cannot be used, if so. Tries wildcard and loopback: a program on either would receive our visitors. */
async function problemWith(port: number): Promise<string | undefined> {
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
