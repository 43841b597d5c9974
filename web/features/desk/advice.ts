import type { Concern } from '../../../core/concerns.ts';

/** What to do about a concern at the desk. */
export function adviceFor({ topic }: Concern): string {
  switch (topic) {
    case 'webhooks_silent':
      return 'Check at the provider whether the endpoint is enabled. Orders are settled by asking meanwhile.';
    case 'orders_unconfirmed':
      return 'The mail is retried for a day. Look at the mail server.';
    case 'orders_in_review':
      return 'What was paid differs from the order. Compare it with the provider, then decide.';
    case 'payments_held':
      return 'Accept the payment in the provider’s dashboard, or correct the account there. The order updates automatically.';
    case 'evidence_due':
      return 'Submit it in the provider’s dashboard. The order updates automatically.';
    case 'refunds_dead':
      return jobAdvice('refund-payment');
    case 'refunds_failed':
      return 'The buyer waits for this money, which is back on our balance. Agree on another way with them, then dismiss it with a reason.';
    case 'payouts_failed':
      return 'The money is still at the provider. Correct the bank details in its dashboard, then dismiss it with a reason.';
    case 'jobs_dead':
      return 'Fix the cause and run them again, or discard them with a reason.';
    case 'emails_refused':
      return 'Reach the person another way and dismiss it with a reason, or correct the cause and send it again.';
    case 'messages_unanswered':
      return 'We promise an answer within 24 hours.';
  }
}

export function jobAdvice(job: string): string {
  switch (job) {
    case 'refund-payment':
    case 'refund-duplicate':
      return 'The buyer waits for this money, unless the mail about it says otherwise. Fix the cause and run it again. Or refund it in the provider’s dashboard, then discard it here: if someone runs it again, it could refund a second time.';
    case 'keep-payment':
      return 'The payment is not kept yet. Check with the provider and run it again, or discard it with a reason.';
    case 'cancel-payment':
    case 'cancel-order':
      return 'The payment can still be paid. Fix the cause and run it again, or cancel it in the provider’s dashboard and discard it here.';
    default:
      return 'Fix the cause and run it again, or discard it with a reason.';
  }
}
