import type { PaymentFact, RefundFact } from '../core/payment-facts.ts';
import type { EventReading } from './gateway.ts';

type DisputeFact = Extract<PaymentFact, { kind: 'dispute' }>;

const RECENT_MS = 3_600_000;

/** Whether an answer may still be older than this event. `createdAt` in ms since the epoch; NaN: not stated. */
export function isRecentEvent(createdAt: number): boolean {
  return Date.now() - createdAt < RECENT_MS;
}

/** A refund never returns to an earlier stage. */
const REFUND_STAGE = { pending: 0, succeeded: 1, failed: 2, canceled: 2 };

/**
 * Asks again while the provider's answer is older than its event about a refund: no later event may name it. Undefined if the
 * answer is as recent, or does not name the refund.
 */
export function staleRefund(
  provider: string,
  event: Pick<RefundFact, 'refundId' | 'status'>,
  answer: readonly PaymentFact[],
): EventReading | undefined {
  const shown = answer.find((fact) => fact.kind === 'refund' && fact.refundId === event.refundId);
  if (shown?.kind !== 'refund' || REFUND_STAGE[shown.status] >= REFUND_STAGE[event.status]) return undefined;
  return {
    unknown: `${provider} shows refund ${event.refundId} as ${shown.status}, its event as ${event.status}`,
  };
}

/**
 * Asks again until the provider shows the dispute, and a closed one as closed, by the event's decision if the answer says
 * that it is older (`isOlder`). Of an event that comes late the answer is believed: the decision may have been appealed since.
 */
export function staleDispute(
  provider: string,
  {
    disputeId,
    outcome,
    isRecent,
    isOlder = false,
  }: Pick<DisputeFact, 'disputeId'> & Partial<DisputeFact> & { isRecent: boolean; isOlder?: boolean },
  answer: readonly PaymentFact[],
): EventReading | undefined {
  const shown = answer.find((fact) => fact.kind === 'dispute' && fact.disputeId === disputeId);
  if (shown?.kind !== 'dispute') return { unknown: `${provider} does not show dispute ${disputeId} yet` };
  if (!isRecent || !outcome || outcome === 'open' || shown.outcome === outcome) return undefined;
  if (shown.outcome !== 'open' && !isOlder) return undefined;
  return { unknown: `${provider} shows dispute ${disputeId} as ${shown.outcome}, its event as ${outcome}` };
}
