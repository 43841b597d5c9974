import type { Concern } from './concerns.ts';

const REFUND_AGAIN =
  'Fix the cause and run it again. Or refund it in the provider’s dashboard and discard the job: if someone runs it again, it could refund a second time.';

/** What to do about a concern: at the desk and in its reminder. */
export function concernAdvice({ topic }: Concern): string {
  switch (topic) {
    case 'webhooks_silent':
      return 'Check at the provider whether the endpoint is registered and enabled, and what it answered to the last deliveries. Meanwhile orders are settled by asking the provider.';
    case 'orders_unconfirmed':
      return 'Check what the mail server answers, and whether its password has expired. The mail is retried for a day.';
    case 'orders_in_review':
      return 'What was paid differs from the order. Compare it with the provider’s dashboard, refund there or keep the payment, then decide. We promised to write to the buyer within 24 hours.';
    case 'payments_held':
      return 'Accept the payment in the provider’s dashboard, or correct the account there. The order updates automatically.';
    case 'evidence_due':
      return 'Submit it in the provider’s dashboard. The order updates automatically.';
    case 'refunds_dead':
      return REFUND_AGAIN;
    case 'refunds_failed':
      return 'The buyer is waiting for this money, which is back on our balance. We promised to contact them within 24 hours: agree on another way, then dismiss it with a reason.';
    case 'payouts_failed':
      return 'The money is still at the provider. Correct the bank details in its dashboard, then dismiss it with a reason.';
    case 'jobs_dead':
      return 'Fix the cause and run them again, or discard them with a reason.';
    case 'emails_refused':
      return 'Correct the cause and send it again, or reach the person another way and dismiss it, with a reason.';
    case 'messages_unanswered':
      return 'Answer by e-mail within 24 hours, as we promise, then mark the message as answered.';
  }
}

/** What to do about a job that failed permanently. */
export function jobAdvice(job: string): string {
  switch (job) {
    case 'refund-payment':
    case 'refund-duplicate':
      return `The buyer is waiting for this money, unless the mail about it says otherwise. ${REFUND_AGAIN}`;
    case 'keep-payment':
      return 'The payment is not kept yet. Check with the provider and run it again, or discard it with a reason.';
    case 'cancel-payment':
    case 'cancel-order':
      return 'The payment can still be paid. Fix the cause and run it again, or cancel it in the provider’s dashboard and discard it here.';
    default:
      return 'Fix the cause and run it again, or discard it with a reason.';
  }
}
