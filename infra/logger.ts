import { createRequire } from 'node:module';
import { type Logger, pino } from 'pino';
import type * as PinoPretty from 'pino-pretty';
import type { Config } from './config.ts';
import { activeTraceFields } from './tracing.ts';

export type { Logger };

/** Redacted wherever they occur: credentials, personal data, card data. */
const secrets = new Set([
  'authorization',
  'cookie',
  'password',
  'clientSecret',
  'client_secret',
  'secretKey',
  'customerName',
  'customerEmail',
  'email',
  'phone',
  'text',
]);
const REDACTED = '[redacted]';
/** Deeper values are dropped, because they are not checked for secrets. */
const MAX_DEPTH = 5;
/** A child logger's fields bypass the formatters. */
const ofBindings = Object.fromEntries([...secrets].map((key) => [key, () => REDACTED]));

type LogSettings = Pick<Config, 'logLevel'> & Partial<Pick<Config, 'logFormat'>>;

/**
 * Structured JSON logs in UTC, or lines for people. A failing log stream neither ends the process nor keeps it from
 * exiting.
 */
export function createLogger(processName: string, { logLevel, logFormat }: LogSettings): Logger {
  return pino(
    {
      level: logLevel,
      base: { process: processName, pid: process.pid },
      mixin: activeTraceFields,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: { ...ofBindings, err: describeError },
    },
    logFormat === 'pretty' ? prettyStdout() : stdout,
  );
}

let unwritten = '';

/**
 * Writes the lines of one turn of the event loop together, as a write blocks. Not pino's own writer, which retries forever at
 * exit if the log's reader is gone.
 */
const stdout = {
  write(line: string) {
    if (unwritten === '') setImmediate(writeOut);
    unwritten += line;
  },
};

function writeOut(): void {
  process.stdout.write(unwritten);
  unwritten = '';
}

process.on('exit', writeOut);

/** With a package of the development installation. */
function prettyStdout(): typeof stdout {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty;
  const format = prettyFactory({ translateTime: 'HH:MM:ss', ignore: 'process,pid', singleLine: true });
  return { write: (line) => stdout.write(format(line)) };
}

process.stdout.on('error', () => {});

/** Not pino's `redact`, which takes a sixth of all memory that a request allocates and looks at two levels only. */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return redacted(fields, 0) as Record<string, unknown>;
}

/** Errors and other instances are left to pino's serializers. */
function redacted(value: unknown, depth: number): unknown {
  if (!Array.isArray(value) && value?.constructor !== Object) return value;
  if (depth === MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, field]) => [
      key,
      secrets.has(key) ? REDACTED : redacted(field, depth + 1),
    ]),
  );
}

/** The error's message, without the query that knex puts before the database's. */
export function messageOf({ message }: Error): string {
  return /^\s*(?:select|insert|update|delete|with)\b/.test(message)
    ? (message.split(' - ').at(-1) ?? '')
    : message;
}

/** Leaves out the provider's raw response and the values of a query. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutAddresses(String(error)) };
  const { code, type, requestId } = error as Error & { code?: string; type?: string; requestId?: string };
  return {
    name: error.name,
    message: withoutAddresses(messageOf(error)),
    code,
    type,
    requestId,
    stack: withoutAddresses(error.stack ?? ''),
    cause: error.cause instanceof Error ? describeError(error.cause) : undefined,
  };
}

/** Mail servers repeat the recipient in their errors. */
function withoutAddresses(text: string): string {
  return text.replace(/[\w.+%'@-]+/g, (word) => (isAddress(word) ? '[address]' : word));
}

function isAddress(word: string): boolean {
  const at = word.indexOf('@');
  return at > 0 && word.indexOf('.', at) > at + 1;
}
