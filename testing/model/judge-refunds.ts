import type { LedgerPayment, LedgerRefund } from './ledger.ts';
import { isExact, type Model, sum } from './model.ts';

export interface MailRow {
  kind: string;
  status: string;
  params: Record<string, unknown>;
}

/** The shop refunds only second payments of the right amount, or hands them to staff; staff refund all others. */
export function wrongRefunds(
  model: Model,
  money: LedgerPayment[],
  settling: LedgerPayment | undefined,
  mails: MailRow[],
): string[] {
  const isMailed = (kind: string, id: string) =>
    mails.some((mail) => mail.kind === kind && mail.params.paymentId === id);
  return money.flatMap((payment) => {
    const { id, refunds, disputes } = payment;
    if (payment === settling || !isExact(model, payment)) {
      const violations = violationsAtDesk(model, payment, isMailed('refund_failed_alert', id));
      if (payment !== settling && !isMailed('review_alert', id)) {
        violations.push(`staff know nothing of ${id}, which does not fit the price`);
      }
      return violations;
    }
    const given = sum(refunds.filter(({ status }) => status === 'succeeded' || status === 'pending'));
    if (given > model.price) return [`doubled: ${given} cents of ${id} refunded`];
    const isLeft = given < model.price && !isMailed('refund_failed_alert', id) && disputes.length === 0;
    return isLeft ? [`doubled: ${id} was not refunded`] : [];
  });
}

/** The shop returns what staff asked for at the desk from these payments, each refund once, and nothing else. */
function violationsAtDesk(model: Model, { id, refunds }: LedgerPayment, isReported: boolean): string[] {
  const asked = model.deskRefunds.filter(({ paymentId }) => paymentId === id).map(({ amount }) => amount);
  const violations: string[] = [];
  // Its automatic refund may have failed at the bank before staff kept the payment.
  const mayBeAutomatic = ({ status }: LedgerRefund) =>
    id === model.kept && (status === 'failed' || status === 'canceled');
  for (const refund of refunds.filter((each) => !model.foreignRefunds.has(each.id))) {
    const at = asked.indexOf(refund.amount);
    if (at < 0 && mayBeAutomatic(refund)) continue;
    if (at < 0) violations.push(`wrongly refunded: ${refund.amount} cents of ${id}`);
    else asked.splice(at, 1);
  }
  if (asked.length > 0 && !isReported) violations.push(`lost: staff’s refund of ${asked} cents of ${id}`);
  return violations;
}
