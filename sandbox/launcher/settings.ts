import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';

export interface LauncherSettings {
  port: number;
  sandboxPort: number;
  sandboxSmtpPort: number;
  dataFolder: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
}

/** A setting that the person who started us can mend; shown without a stack trace. */
export class LaunchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LaunchError';
  }
}

/** Reads `.env`, if there is one, and the environment, which counts more. @throws LaunchError naming the setting */
export function readSettings(): LauncherSettings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return {
    port: portFrom('PORT', 3000),
    sandboxPort: portFrom('SANDBOX_PORT', 3100),
    sandboxSmtpPort: portFrom('SANDBOX_SMTP_PORT', 3125),
    dataFolder: path.resolve(process.env.DATA_DIR?.trim() || '.data'),
    databaseUrl: process.env.DATABASE_URL?.trim() || undefined,
    redisUrl: process.env.REDIS_URL?.trim() || undefined,
  };
}

function portFrom(name: string, fallback: number): number {
  const text = process.env[name]?.trim();
  if (!text) return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new LaunchError(`${name} must be a port number between 1 and 65535, not '${text}'`);
}

/** @throws LaunchError naming the port and the setting that moves it */
export async function requireFreePorts(settings: LauncherSettings): Promise<void> {
  const ports = [
    ['PORT', settings.port],
    ['SANDBOX_PORT', settings.sandboxPort],
    ['SANDBOX_SMTP_PORT', settings.sandboxSmtpPort],
  ] as const;
  for (const [name, port] of ports) {
    if (await isFree(port)) continue;
    throw new LaunchError(`Port ${port} is in use. Set ${name} to another one, or end what uses it.`);
  }
}

/** Both the wildcard and loopback are asked: a program on either would take our visitors. */
async function isFree(port: number): Promise<boolean> {
  const tries = [undefined, '127.0.0.1'].map(
    (host) =>
      new Promise<boolean>((resolve) => {
        const server = net.createServer();
        server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'));
        server.listen(port, host, () => server.close(() => resolve(true)));
      }),
  );
  for (const attempt of tries) if (!(await attempt)) return false;
  return true;
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

/** @throws LaunchError if the folder cannot be made or written */
export function requireDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = (error as Error).message;
    throw new LaunchError(`The data folder cannot be used (DATA_DIR): ${reason}`, { cause: error });
  }
}
