import type { Finding as Difference } from '../orders/find-differences.ts';
import type { Finding } from './findings.ts';

/** What an operator does about a difference between a restored database and a provider: always something. */
export function adviceFor({ kind, orderId, paymentId, what, repairs }: Difference): Finding {
  const check = orderId ?? paymentId ?? '-';
  const found = paymentId && orderId ? `${what} (${paymentId})` : what;
  const problem = (action: string): Finding => ({ check, state: 'problem', found, action });
  switch (kind) {
    case 'order missing':
      return problem(
        `ops order create-from-provider ${paymentId} --reason 'lost by the restore'; or refund it at the provider, then ops jobs discard its events`,
      );
    case 'unknown payment':
      return problem(
        orderId
          ? `ops order show ${orderId}; refund ${paymentId} at the provider unless it is needed`
          : `refund ${paymentId} at the provider`,
      );
    case 'not asked':
      return problem('repeat this command when the provider answers');
    case 'different':
      return repairs.length > 0
        ? {
            check,
            state: 'warning',
            found,
            action: `ops order reconcile ${orderId}, or all: ops reconcile --fix`,
          }
        : problem(
            `compare ops order show ${orderId} with the provider; if it is in review: ops order decide`,
          );
  }
}

/** What an operator does about an event that did not find its order. */
export function adviceForEvent(jobId: string, isOrderKnown: boolean): Pick<Finding, 'found' | 'action'> {
  return isOrderKnown
    ? {
        found: 'an event failed permanently before its order was recreated',
        action: `ops jobs retry ${jobId}`,
      }
    : {
        found: 'an event waits for an order that is missing here and took no money',
        action: `ops jobs discard ${jobId} --reason 'order lost unpaid'`,
      };
}
