import SMTPPool from 'nodemailer/lib/smtp-pool';
import pLimit from 'p-limit';
import type { Config } from './config.ts';
import { measureCall } from './metrics.ts';
import { MimeMessage, type OutgoingMail } from './mime-message.ts';
import { afterUrgentWork } from './urgent-work.ts';

/** The mail server refused the mail permanently (5xx), so it is not sent again. */
export class MailRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailRefused';
  }
}

export interface Mailer {
  /** The mail's bytes and envelope, with our sender. */
  toMessage(mail: OutgoingMail): MimeMessage;
  /**
   * Runs `work`, which composes and sends a mail, when a connection is free. Normally one runs at a time and yields to urgent
   * work, which needs the same processors and database. Once mails have followed each other for {@link BACKLOG_AFTER_MS}
   * without a pause, all connections are used, without yielding.
   */
  whenFree<T>(work: () => Promise<T>): Promise<T>;
  /** Sends one mail to one recipient. Returns when the server has accepted it. @throws MailRefused, or an outage */
  send(message: MimeMessage): Promise<void>;
  domain: string;
  close(): void;
}

/** Mails that still wait then are a backlog, or the mail server is slow: from here on throughput matters more. */
const BACKLOG_AFTER_MS = 500;
/** Shorter than the pauses between waves of mails (infra/outbox.ts) when a worker is half loaded. */
const PAUSE_MS = 10;
/** How long a mail yields to urgent work: a half loaded worker has too few gaps for all mails. */
const MAX_YIELD_MS = 100;

/** Pooled SMTP: mails wait for a free connection. Connecting, greeting and silence time out after 10, 10 and 30 s. */
export function createMailer(config: Config['mail']): Mailer {
  const pool = openPool(config);
  const whenFree = createNarrowLimit(config.maxConnections);
  // Past nodemailer's `sendMail`, which would compose the message again and pipe it through three more streams.
  const deliver = (message: MimeMessage) =>
    new Promise<void>((resolve, reject) => {
      const mail = { data: {}, message } as unknown as Parameters<typeof pool.send>[0];
      pool.send(mail, (error) => (error ? reject(error) : resolve()));
    });
  return {
    domain: /@([^>\s]+)/.exec(config.from)?.[1] ?? 'localhost',
    toMessage: (mail) => new MimeMessage({ from: config.from, ...mail }),
    whenFree,
    async send(message) {
      try {
        await measureCall('smtp', 'send', () => deliver(message));
      } catch (error) {
        if (isRefusal(error)) throw new MailRefused((error as Error).message, { cause: error });
        throw error;
      }
    },
    close: () => pool.close(),
  };
}

/**
 * Runs one call at a time, and after urgent work unless the call has waited for {@link MAX_YIELD_MS}; up to `most`, and beside
 * urgent work, from {@link BACKLOG_AFTER_MS} after the last rest on.
 */
function createNarrowLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const slots = pLimit(1);
  let isNarrow = true;
  let calls = 0;
  let widening: NodeJS.Timeout | undefined;
  let narrowing: NodeJS.Timeout | undefined;

  function setNarrow(narrow: boolean): void {
    isNarrow = narrow;
    slots.concurrency = narrow ? 1 : most;
  }

  function widenLater(): void {
    clearTimeout(narrowing);
    widening ??= setTimeout(setNarrow, BACKLOG_AFTER_MS, false);
  }

  function narrowLater(): void {
    narrowing = setTimeout(() => {
      clearTimeout(widening);
      widening = undefined;
      setNarrow(true);
    }, PAUSE_MS);
  }

  return async (work) => {
    const calledAt = performance.now();
    const makesWay = () => isNarrow && performance.now() - calledAt < MAX_YIELD_MS;
    calls += 1;
    widenLater();
    try {
      return await slots(() => (makesWay() ? afterUrgentWork(work) : work()));
    } finally {
      calls -= 1;
      if (calls === 0) narrowLater();
    }
  };
}

/** Connects and signs in, as for sending. @throws if the server cannot be reached or refuses the login */
export async function verifyMailServer(config: Config['mail']): Promise<void> {
  const pool = openPool(config);
  try {
    await pool.verify();
  } finally {
    pool.close();
  }
}

function openPool({ smtpUrl, requireTls, maxConnections }: Config['mail']): SMTPPool {
  return new SMTPPool({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    requireTLS: requireTls,
    maxConnections,
    maxMessages: Number.POSITIVE_INFINITY,
  });
}

/** About our own login, not about the mail: an operator corrects it, and the mail is retried (RFC 4954 §6). */
const loginRefused = [530, 534, 535, 538];

function isRefusal(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: number };
  return responseCode !== undefined && responseCode >= 500 && !loginRefused.includes(responseCode);
}
