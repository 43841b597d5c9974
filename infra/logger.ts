import { type Logger, pino } from 'pino';
import { activeTraceFields } from './tracing.ts';

export type { Logger };

/** Redacted wherever they occur: credentials, personal data, card data. */
const secret = [
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
  'message.text',
];

/** Structured JSON logs in UTC. A failing log stream neither ends the process nor keeps it from exiting. */
export function createLogger(processName: string, level: string): Logger {
  return pino(
    {
      level,
      base: { process: processName, pid: process.pid },
      mixin: activeTraceFields,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secret.flatMap((key) => (key.includes('.') ? [key] : [key, `*.${key}`])),
        censor: '[redacted]',
      },
      serializers: { err: describeError },
    },
    stdout,
  );
}

// Not pino's own writer, which retries forever at exit if the log's reader is gone.
const stdout = {
  write(line: string) {
    process.stdout.write(line);
  },
};
process.stdout.on('error', () => {});

/** Without the provider's raw response and the query's values. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutAddresses(String(error)) };
  const { code, type, requestId } = error as Error & { code?: string; type?: string; requestId?: string };
  return {
    name: error.name,
    message: withoutAddresses(error.message.split(' - ').at(-1) ?? ''),
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
