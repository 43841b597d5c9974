import { cappedCount } from '../../../core/capped-count.ts';
import type { Concern } from '../../../core/concerns.ts';
import { counted } from '../../../core/text.ts';

/** What a concern says at the desk, and what to do about it. */
export function concernText(concern: Concern): { title: string; action: string } {
  switch (concern.topic) {
    case 'webhooks_silent':
      return {
        title: `No webhook from ${brands[concern.provider]} for an hour, though ${counted(concern.count, 'order')} became paid`,
        action:
          'Check at the provider whether the endpoint is enabled. Orders are settled by asking meanwhile.',
      };
    case 'orders_unconfirmed':
      return {
        title: `${counted(concern.count, 'paid order')} without an e-mail for 15 minutes`,
        action: 'The mail is retried for a day. Look at the mail server.',
      };
    case 'orders_in_review':
      return {
        title: `${counted(concern.count, 'payment')} to review`,
        action: 'What came differs from the order. Compare it with the provider, then decide.',
      };
    case 'evidence_due':
      return {
        title: 'Evidence for a dispute is due',
        action: 'Submit it in the provider’s dashboard. The order follows by itself.',
      };
    case 'refunds_dead':
      return {
        title: `${counted(concern.count, 'refund')} failed permanently`,
        action: jobAdvice('refund-payment'),
      };
    case 'refunds_failed':
      return {
        title: `${counted(concern.count, 'refund')} sent back by the bank`,
        action:
          'The buyer waits for this money, which is back on our balance. Agree on another way with them, then dismiss it with a reason.',
      };
    case 'payouts_failed':
      return {
        title: `${counted(concern.count, 'payout')} failed`,
        action:
          'The money is still at the provider. Correct the bank details in its dashboard, then dismiss it with a reason.',
      };
    case 'jobs_dead':
      return {
        title: `${counted(concern.count, 'job')} failed permanently`,
        action: 'Fix the cause and run them again, or discard them with a reason.',
      };
    case 'emails_refused':
      return {
        title: `${counted(concern.count, 'e-mail')} refused by the mail server`,
        action:
          'Reach the person another way and dismiss it with a reason, or correct the cause and send it again.',
      };
    case 'messages_unanswered':
      return {
        title: `${cappedCount(concern.count)} ${concern.count === 1 ? 'message' : 'messages'} to answer`,
        action: 'We promise an answer within 24 hours.',
      };
  }
}

export function jobAdvice(job: string): string {
  switch (job) {
    case 'refund-payment':
    case 'refund-duplicate':
      return 'The buyer waits for this money. Fix the cause and run it again, or refund it in the provider’s dashboard and discard it here.';
    case 'cancel-payment':
    case 'cancel-order':
      return 'The payment can still be paid. Fix the cause and run it again, or cancel it in the provider’s dashboard and discard it here.';
    default:
      return 'Fix the cause and run it again, or discard it with a reason.';
  }
}

export const brands = { stripe: 'Stripe', paypal: 'PayPal' } as const;
