import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { formatMoney } from '../../../core/money.ts';
import { isReturned, statusText, type Tone } from '../../../core/order-texts.ts';
import type { OrderView } from '../../../core/orders.ts';
import { methodLabel } from '../../../core/payment-method.ts';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { serviceQuery } from './order-queries.ts';

const dots: Record<Tone, string> = {
  good: 'bg-after',
  waiting: 'bg-before',
  bad: 'bg-error',
  neutral: 'bg-muted',
};

export function OrderCard({ order }: { order: OrderView }) {
  const service = useQuery(serviceQuery(order.serviceId));
  const status = statusText(order);
  const bounced = isReturned(order);
  const { paidAt } = order;
  const paid = paidAt !== null && !bounced;
  return (
    <section
      aria-labelledby="order-title"
      className="card rounded-card border border-line bg-surface p-6 sm:p-8"
    >
      <h2 id="order-title" className="text-xl">
        Order details
      </h2>
      <dl className="mt-4">
        <Row term="Order ID">
          <OrderId id={order.id} />
        </Row>
        <Row term="Service">
          {service.data?.name ??
            (service.isError ? 'Not available' : <Skeleton className="my-1.5 h-4 w-36 max-w-full" />)}
        </Row>
        <Row term={paid ? 'Amount paid' : 'Amount'}>
          <span className="figure font-semibold">{formatMoney(order.amount, order.currency)}</span>
        </Row>
        {order.amountRefunded > 0 && (
          <Row term={bounced ? 'Returned' : 'Refunded'}>
            <span className="figure">{formatMoney(order.amountRefunded, order.currency)}</span>
          </Row>
        )}
        <Row term="Payment method">
          {bounced ? 'Bank debit' : methodLabel(order.paymentMethod, order.methodType)}
        </Row>
        <Row term="Status">
          <span className="inline-flex items-center gap-2">
            <span aria-hidden="true" className={`size-2 rounded-full ${dots[status.tone]}`} />
            {status.label}
          </span>
        </Row>
        <Row term="E-mail">
          <span className="wrap-anywhere">{order.customerEmail}</span>
        </Row>
        <Row term={paid ? 'Paid on' : 'Ordered on'}>{dayOf(paid ? paidAt : order.createdAt)}</Row>
      </dl>
    </section>
  );
}

/** Fits a phone 360 px wide; breaks after hyphens where it does not. One click selects all of it. */
function OrderId({ id }: Pick<OrderView, 'id'>) {
  return (
    <span className="font-mono text-xs tracking-[-0.05em] select-all wrap-anywhere sm:text-sm sm:tracking-normal">
      {[...id.matchAll(/[^-]+-?/g)].map(({ 0: part, index }) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-x-6 border-t border-line py-3 first:border-0 sm:grid-cols-[10rem_1fr]">
      <dt className="text-muted">{term}</dt>
      <dd className="sm:text-right">{children}</dd>
    </div>
  );
}

function dayOf(time: string): string {
  return new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(time));
}
