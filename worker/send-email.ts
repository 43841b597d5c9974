import type { JobPayload } from '../core/jobs.ts';
import {
  claimEmail,
  dropEmail,
  type Email,
  isEmailOpen,
  markEmailRefused,
  markEmailSent,
  releaseEmail,
  renewClaim,
} from '../db/emails.ts';
import { composeEmail } from '../emails/compose-email.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { MailRefused, type OutgoingMail } from '../infra/mailer.ts';
import { countEmail } from '../infra/metrics.ts';
import { RetryLater } from '../infra/retry.ts';
import type { WorkerParts } from './parts.ts';
import type { JobRun } from './run-job.ts';

/** A claim of a killed worker ends after 15 s; looking again after a third of that is soon enough. */
const LOOK_AGAIN_MS = 5_000;
const RENEW_MS = 5_000;

/** Sends one mail: claim → compose → send → mark. A mail that the server refuses for good is recorded, not retried. */
export async function sendEmail(
  parts: WorkerParts,
  { emailId }: JobPayload<'send-email'>,
  run: JobRun,
): Promise<void> {
  const email = await claimEmail(parts.db, emailId, parts.mailer.domain);
  if (!email) {
    if (await isEmailOpen(parts.db, emailId))
      throw new RetryLater('Somebody else is sending this mail', LOOK_AGAIN_MS);
    return run.complete();
  }
  try {
    const mail = await composeEmail(parts, email);
    if (!mail) {
      countEmail(email.kind, 'dropped');
      return await run.complete((trx) => dropEmail(trx, email.id));
    }
    const headers = { ...mail.headers, ...(run.requestId ? { 'X-Request-Id': run.requestId } : {}) };
    await deliver(parts, email, { ...mail, headers });
    crashPoint('after-smtp');
    await run.complete((trx) => markEmailSent(trx, email.id, mail.to));
    countEmail(email.kind, 'sent');
    run.logger.info({ emailId: email.id, kind: email.kind, messageId: email.messageId }, 'e-mail sent');
  } catch (error) {
    if (!(error instanceof MailRefused)) {
      countEmail(email.kind, 'failed');
      await releaseEmail(parts.db, email.id, (error as Error).message.slice(0, 500));
      throw error;
    }
    countEmail(email.kind, 'refused');
    run.logger.error(
      { err: error, emailId: email.id, kind: email.kind },
      'e-mail refused by the mail server',
    );
    await run.complete((trx) => markEmailRefused(trx, email.id, error.message.slice(0, 500)));
  }
}

async function deliver(
  parts: WorkerParts,
  email: Email,
  mail: Omit<OutgoingMail, 'messageId'>,
): Promise<void> {
  const renewal = setInterval(() => void renewClaim(parts.db, email.id).catch(() => {}), RENEW_MS);
  try {
    await parts.mailer.send({ ...mail, messageId: email.messageId ?? '' });
  } finally {
    clearInterval(renewal);
  }
}
