import { orderLabels } from '../../../core/order-texts.ts';
import type { OrderStatus } from '../../../core/orders.ts';

/** On a dark surface the fill alone would not show. */
const neutral = 'bg-sunken text-muted inset-ring inset-ring-line';

const looks: Record<OrderStatus, string> = {
  pending: neutral,
  processing: 'bg-accent-wash text-accent',
  paid: 'bg-after-wash text-after',
  failed: 'bg-error-wash text-error',
  canceled: neutral,
  partially_refunded: 'bg-before-wash text-before',
  refunded: 'bg-before-wash text-before',
  disputed: 'bg-error-wash text-error',
  review: 'bg-error-wash text-error',
};

export function StatusBadge({ status }: { status: OrderStatus }) {
  return (
    <span
      className={`inline-block rounded-full px-2.5 text-xs font-medium whitespace-nowrap ${looks[status]}`}
    >
      {orderLabels[status]}
    </span>
  );
}
