import { setTimeout as sleep } from 'node:timers/promises';
import type { EmailKind } from '../core/emails.ts';
import type { JobPayload } from '../core/jobs.ts';
import {
  claimEmail,
  completeEmail,
  type Email,
  type EmailOutcome,
  isEmailOpen,
  releaseEmail,
  renewClaim,
  wasResent,
} from '../db/emails.ts';
import { type Mail, prepareEmail } from '../emails/compose-email.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { mailboxKey } from '../infra/mailbox-key.ts';
import { MailRefused } from '../infra/mailer.ts';
import { countEmail } from '../infra/metrics.ts';
import type { MimeMessage } from '../infra/mime-message.ts';
import { nextTurn } from '../infra/next-turn.ts';
import type { LimitName } from '../infra/rate-limits.ts';
import { RetryLater } from '../infra/retry.ts';
import type { JobRun } from '../orders/parts.ts';
import type { WorkerParts } from './parts.ts';

/** Both a third of the time after which the claim of a killed worker expires (CLAIM_SECONDS in db/emails.ts). */
const CLAIM_RENEWAL_MS = 5_000;
const RECHECK_MS = 5_000;
/** E-mails claimed together are read together and sent within this time; behind a slow mail server each is read again. */
export const MAX_AGE_MS = 1_000;
const MAX_RECORD_ATTEMPTS = 10;
const RECORD_RETRY_MS = 1_000;

/** Sends one e-mail: claim → read → render → deliver → complete. Renders it when a connection can take it. */
export async function sendEmail(
  parts: WorkerParts,
  { emailId }: JobPayload<'send-email'>,
  run: JobRun,
): Promise<void> {
  const email = await claimEmail(parts.db, emailId, parts.mailer.domain);
  if (!email) {
    if (!(await isEmailOpen(parts.db, emailId))) return run.complete();
    throw new RetryLater('another worker is sending this e-mail', RECHECK_MS);
  }
  crashPoint('before-smtp');
  const outcome = await whileClaimed(parts, email, async () => {
    const readAt = performance.now();
    const prepared = await prepareEmail(parts, email);
    return parts.mailer.whenFree(async () => {
      const isRecent = performance.now() - readAt < MAX_AGE_MS;
      return deliver(parts, email, run, isRecent ? prepared : await prepareEmail(parts, email));
    });
  });
  crashPoint('in-send-email');
  await complete(parts, email, outcome, run);
}

/** Anyone can have these sent to anyone, without paying. */
const limitsOfKinds: Partial<Record<EmailKind, LimitName>> = {
  contact_acknowledgement: 'acknowledgement',
  newsletter_confirmation: 'newsletter-confirmation',
  payment_processing: 'unpaid-order-mail',
  payment_failed: 'unpaid-order-mail',
  order_canceled: 'unpaid-order-mail',
};

/** `render` is undefined for an e-mail that is no longer relevant. */
async function deliver(
  parts: WorkerParts,
  email: Email,
  run: JobRun,
  render: (() => Mail) | undefined,
): Promise<EmailOutcome> {
  if (!render) return { status: 'dropped' };
  await nextTurn();
  const composed = compose(parts, email, run, render());
  const limit = limitsOfKinds[email.kind];
  if (!limit || wasResent(email)) return send(parts, composed);
  const mailbox = mailboxKey(composed.to);
  if ((await parts.mailLimits.use(limit, mailbox)) > 0) {
    run.logger.warn({ emailId: email.id, kind: email.kind }, 'e-mail limit of the mailbox reached');
    return { status: 'dropped' };
  }
  try {
    return await send(parts, composed);
  } catch (error) {
    await parts.mailLimits.giveBack(limit, mailbox);
    throw error;
  }
}

interface ComposedEmail {
  to: string;
  message: MimeMessage;
}

function compose(
  { mailer }: WorkerParts,
  { messageId }: Email,
  { requestId }: JobRun,
  mail: Mail,
): ComposedEmail {
  const headers = { ...mail.headers, ...(requestId ? { 'X-Request-Id': requestId } : {}) };
  return { to: mail.to, message: mailer.toMessage({ ...mail, headers, messageId }) };
}

async function send({ mailer }: WorkerParts, { to, message }: ComposedEmail): Promise<EmailOutcome> {
  try {
    await mailer.send(message);
    return { status: 'sent', recipient: to };
  } catch (error) {
    if (error instanceof MailRefused) return { status: 'refused', error: error.message };
    throw error;
  }
}

/** Renews the claim while the mail server is slow, and releases it on failure. */
async function whileClaimed<T>({ db }: WorkerParts, email: Email, work: () => Promise<T>): Promise<T> {
  const renewal = setInterval(() => void renewClaim(db, email.id).catch(() => {}), CLAIM_RENEWAL_MS);
  try {
    return await work();
  } catch (error) {
    countEmail(email.kind, 'failed');
    await releaseEmail(db, email.id, String(error));
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** Retries for long, because an accepted e-mail that is not recorded is sent again. */
async function complete(
  { db }: WorkerParts,
  email: Email,
  outcome: EmailOutcome,
  { row, logger }: JobRun,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await completeEmail(db, { id: email.id, row, outcome });
      break;
    } catch (error) {
      if (attempt === MAX_RECORD_ATTEMPTS) throw error;
      logger.warn({ err: error, emailId: email.id, attempt }, 'recording the e-mail failed; retrying');
      await sleep(RECORD_RETRY_MS);
    }
  }
  countEmail(email.kind, outcome.status);
  const details = { emailId: email.id, kind: email.kind, messageId: email.messageId };
  if (outcome.status === 'refused') logger.error({ ...details, err: outcome.error }, 'e-mail refused');
  else logger.info(details, `e-mail ${outcome.status}`);
}
