import { formatMoney } from '../../core/money.ts';
import { brands, codeInWords } from '../../core/order-texts.ts';
import type { DisputeReminderProps } from '../props/staff.ts';
import { clientFacts } from './staff.tsx';
import type { Fact } from './tables.tsx';

/** A lost dispute names what it took, which may be less than was disputed. */
export function disputeFacts(
  p: Omit<DisputeReminderProps, 'evidenceDueAt'>,
  label: 'Disputed' | 'Returned' = 'Disputed',
): Fact[] {
  return [
    { label, value: formatMoney(p.disputedAmount, p.currency) },
    { label: 'Reason', value: codeInWords(p.disputeReason) },
    { label: 'Order amount', value: formatMoney(p.amount, p.currency) },
    { label: 'Provider', value: brands[p.provider] },
    { label: 'Dispute', value: p.disputeId, code: true },
    ...clientFacts(p),
  ];
}
