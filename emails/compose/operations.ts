import { concernsToRemind, nameOf } from '../../core/concerns.ts';
import { readAttention, readSilence } from '../../db/attention.ts';
import type { Composer } from './composer.ts';
import { dashboardUrl } from './dashboards.ts';

export const composePayoutFailedAlert: Composer<'payout_failed_alert'> = async ({ config }, email) => {
  const { provider, payoutId, amount, currency, reason } = email.params;
  return {
    props: {
      provider,
      payoutId,
      payoutAmount: amount,
      payoutCurrency: currency,
      failureReason: reason,
      dashboardUrl: dashboardUrl(config, provider, 'payout', payoutId),
      occurredAt: email.createdAt.toISOString(),
    },
  };
};

export const composeJobDeadAlert: Composer<'job_dead_alert'> = async (_parts, email) => {
  const { error, ...params } = email.params;
  const { orderId, createdAt } = email;
  return { props: { ...params, lastError: error, orderId, occurredAt: createdAt.toISOString() } };
};

/** Describes the concern as it is when the e-mail is sent; dropped if the concern has ended. */
export const composeStaffReminder: Composer<'staff_reminder'> = async ({ db }, { params }) => {
  const [attention, silence] = await Promise.all([readAttention(db), readSilence(db)]);
  const concern = concernsToRemind({ ...attention, ...silence }).find(
    (current) => nameOf(current) === nameOf(params.concern),
  );
  return concern && { props: { concern } };
};
