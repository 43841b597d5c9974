import { type Logger, pino } from 'pino';

export type { Logger };

/** Never written to a log, wherever it stands: credentials, personal data, card data (tested with canaries). */
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

/** Structured JSON logs in UTC; a failing log stream never takes the process down, nor keeps it from ending. */
export function createLogger(processName: string, level: string): Logger {
  return pino(
    {
      level,
      base: { process: processName, pid: process.pid },
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

// Not pino's own writer: when the reader of the log is gone, it tries for ever to write its last lines at the exit.
const stdout = {
  write(line: string) {
    process.stdout.write(line);
  },
};
process.stdout.on('error', () => {});

/** What a log line says of an error: enough to find it, without the provider's raw answer or the query's values. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
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

/** Mail servers name in their errors whom they refuse. */
function withoutAddresses(text: string): string {
  return text.replace(/[\w.+%'-]+@[\w-]+(\.[\w-]+)+/g, '[address]');
}
