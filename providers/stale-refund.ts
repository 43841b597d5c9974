import type { PaymentFact, RefundFact } from '../core/payment-facts.ts';
import type { EventReading } from './gateway.ts';

/**
 * Asks again while the provider's answer is older than its event about a refund that has failed or was canceled: no later event
 * names it. Undefined if both agree, or the event is about another outcome.
 */
export function staleRefund(
  provider: string,
  event: Pick<RefundFact, 'refundId' | 'status'>,
  answer: readonly PaymentFact[],
): EventReading | undefined {
  if (event.status !== 'failed' && event.status !== 'canceled') return undefined;
  const shown = answer.find((fact) => fact.kind === 'refund' && fact.refundId === event.refundId);
  if (shown?.kind !== 'refund' || shown.status === event.status) return undefined;
  return {
    unknown: `${provider} shows refund ${event.refundId} as ${shown.status}, its event as ${event.status}`,
  };
}
