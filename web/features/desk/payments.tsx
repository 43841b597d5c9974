import type { DeskOrder, DeskPayment } from '../../../core/desk-order.ts';
import { formatMoney } from '../../../core/money.ts';
import { brands } from '../../../core/order-texts.ts';
import { methodAndProvider } from '../../../core/payment-method.ts';
import { Id } from './parts.tsx';

const roles: Record<DeskPayment['role'], string> = {
  current: 'Current payment',
  paying: 'Pays the order',
  former: 'Former payment',
  other: 'Another payment',
};

/** The order's payments, with what each took and returned, and the way to the provider's dashboard. */
export function Payments({ order }: { order: DeskOrder }) {
  if (order.payments.length === 0) return null;
  return (
    <section aria-label="Payments" className="rounded-card border border-line bg-surface p-5">
      <h2 className="text-lg">Payments</h2>
      <ul className="mt-3 divide-y divide-line text-sm">
        {order.payments.map((payment) => (
          <li key={payment.id} className="py-3 first:pt-0 last:pb-0">
            <Payment payment={payment} currency={order.currency} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Payment({ payment, currency }: { payment: DeskPayment; currency: string }) {
  const { id, provider, methodType, role, taken, refunds, dashboardUrl } = payment;
  return (
    <>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span>
          {roles[role]}, {methodAndProvider(provider, methodType)}
        </span>
        <span className="figure font-medium">
          {taken ? formatMoney(taken.amount, taken.currency) : 'Nothing taken'}
        </span>
      </p>
      <p className="wrap-anywhere text-muted">
        <Id id={id} />
      </p>
      {refunds.map((refund) => (
        <p key={refund.id} className="mt-1 text-muted">
          Refund of {formatMoney(refund.amount, taken?.currency ?? currency)}, {refund.status}
        </p>
      ))}
      {dashboardUrl && (
        <a href={dashboardUrl} target="_blank" rel="noreferrer" className="link mt-1 inline-block">
          Open in {brands[provider]}
        </a>
      )}
    </>
  );
}
