import { existsSync } from 'node:fs';
import { type Environment, environment } from './environment.ts';
import { type Config, toConfig } from './settings.ts';
import { weaknesses } from './weaknesses.ts';

export type { Config };

export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** The settings from the environment. Outside production unset providers are the local sandbox. @throws ConfigError */
export function readConfig(source: NodeJS.ProcessEnv = process.env): Config {
  const parsed = environment.safeParse(withoutBlanks(source));
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const env = parsed.data;
  const problems = refusals(env);
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(env, refusals({ ...env, NODE_ENV: 'production' }));
}

function refusals(env: Environment): string[] {
  return [...missing(env), ...weaknesses(env)];
}

/** `STRIPE_WEBHOOK_SECRET=` and `PAYPAL_WEBHOOK_ID=` set to nothing mean 'off'; any other blank means 'not set'. */
function withoutBlanks(source: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const mayBeBlank = ['STRIPE_WEBHOOK_SECRET', 'PAYPAL_WEBHOOK_ID'];
  return Object.fromEntries(
    Object.entries(source).filter(([name, value]) => value?.trim() || mayBeBlank.includes(name)),
  );
}

const requiredInProduction = [
  'DEPLOYMENT',
  'PUBLIC_URL',
  'SESSION_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'PAYPAL_CLIENT_ID',
  'PAYPAL_CLIENT_SECRET',
  'PAYPAL_WEBHOOK_ID',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
  'STAFF_EMAIL',
] as const satisfies (keyof Environment)[];

function missing(env: Environment): string[] {
  const names =
    env.NODE_ENV === 'production'
      ? (['DATABASE_URL', ...requiredInProduction] as const)
      : (['DATABASE_URL'] as const);
  return names
    .filter((name) => env[name] === undefined)
    .map(
      (name) => `${name} is not set${name === 'DATABASE_URL' ? ' (npm start brings its own database)' : ''}`,
    );
}

export function readConfigOrExit(source: NodeJS.ProcessEnv = process.env): Config {
  try {
    return readConfig(source);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** {@link readConfigOrExit} for a command that people run beside the processes: also from `.env`, as `npm start` does. */
export function readCommandConfigOrExit(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfigOrExit();
}
