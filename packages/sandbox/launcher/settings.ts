import { existsSync } from 'node:fs';
import path from 'node:path';

export interface LauncherSettings {
  port: number;
  sandboxPort: number;
  sandboxSmtpPort: number;
  dataFolder: string;
  databaseUrl: string | undefined;
}

export class LaunchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LaunchError';
  }
}

/** Reads `.env` and the environment, which takes precedence. @throws LaunchError naming the setting */
export function readSettings(): LauncherSettings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return {
    port: portFrom('PORT', 3000),
    sandboxPort: portFrom('SANDBOX_PORT', 3100),
    sandboxSmtpPort: portFrom('SANDBOX_SMTP_PORT', 3125),
    dataFolder: path.resolve(process.env.DATA_DIR?.trim() || '.data'),
    databaseUrl: process.env.DATABASE_URL?.trim() || undefined,
  };
}

function portFrom(name: string, fallback: number): number {
  const text = process.env[name]?.trim();
  if (!text) return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new LaunchError(`${name} must be a port number between 1 and 65535, not '${text}'`);
}
