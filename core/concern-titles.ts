import { cappedCount } from './capped-count.ts';
import type { Concern } from './concerns.ts';
import { brands } from './order-texts.ts';
import { counted } from './text.ts';

/** What needs a person, in a line: at the desk and as the subject of a reminder. */
export function concernTitle(concern: Concern): string {
  switch (concern.topic) {
    case 'webhooks_silent':
      return `No webhook from ${brands[concern.provider]} for an hour, though ${counted(concern.count, 'order')} ${concern.count === 1 ? 'was' : 'were'} paid`;
    case 'orders_unconfirmed':
      return `${counted(concern.count, 'paid order')} without an e-mail for 15 minutes`;
    case 'orders_in_review':
      return `${counted(concern.count, 'payment')} to review`;
    case 'payments_held':
      return `${counted(concern.count, 'payment')} on hold until we act`;
    case 'evidence_due':
      return 'Evidence for a dispute is due';
    case 'refunds_dead':
      return `${counted(concern.count, 'refund')} failed permanently`;
    case 'refunds_failed':
      return `${counted(concern.count, 'refund')} sent back by the bank`;
    case 'payouts_failed':
      return `${counted(concern.count, 'payout')} failed`;
    case 'jobs_dead':
      return `${counted(concern.count, 'job')} failed permanently`;
    case 'emails_refused':
      return `${counted(concern.count, 'e-mail')} refused by the mail server`;
    case 'messages_unanswered':
      return `${cappedCount(concern.count)} ${concern.count === 1 ? 'message' : 'messages'} to answer`;
  }
}
