import { useQuery } from '@tanstack/react-query';
import { Link, type Location, useLocation, useParams } from 'react-router-dom';
import type { DeskOrder } from '../../../core/desk-order.ts';
import { deskPages } from '../../../core/desk-paths.ts';
import { formatMoney } from '../../../core/money.ts';
import { codeInWords } from '../../../core/order-texts.ts';
import type { StaffView } from '../../../core/staff.ts';
import { ApiError } from '../../lib/api-client.ts';
import { mailto } from '../../lib/mailto.ts';
import { ActionPanel } from './action-panel.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import { deskOrderQuery } from './order-queries.ts';
import { Failure, Heading, Id, Loading, Moment } from './parts.tsx';
import { Payments } from './payments.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Timeline } from './timeline.tsx';
import { useChangesOf } from './use-order-changes.ts';

export function OrderPage({ me }: { me: StaffView }) {
  const { orderId = '' } = useParams();
  const order = useQuery(deskOrderQuery(orderId));
  useChangesOf(orderId);
  // The list that led here, with its filters and its search.
  const list: Partial<Location> = useLocation().state?.list ?? {};
  return (
    <>
      <Link
        to={{ pathname: deskPages.orders, search: list.search ?? '' }}
        state={list.state}
        className="link text-sm"
      >
        Orders
      </Link>
      {order.isError && (
        <NotShown error={order.error} isShown={!!order.data} onRetry={() => void order.refetch()} />
      )}
      {order.isPending && <Loading />}
      {order.data && <Order order={order.data} me={me} />}
    </>
  );
}

function NotShown(props: { error: Error; isShown: boolean; onRetry: () => void }) {
  const { error, isShown, onRetry } = props;
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 400);
  if (isShown || !isUnknown) return <Failure error={error} onRetry={onRetry} />;
  return (
    <div className="mt-3">
      <Heading>Order not found</Heading>
      <p className="mt-2 text-muted">Its address may be incomplete.</p>
    </div>
  );
}

function Order({ order, me }: { order: DeskOrder; me: StaffView }) {
  const isOperator = me.role === 'operator';
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Heading>{order.customerName || 'Erased buyer'}</Heading>
        <StatusBadge status={order.status} />
      </div>
      <div
        className={`mt-6 grid grid-cols-1 items-start gap-6 ${isOperator ? 'lg:grid-cols-[1.6fr_1fr] lg:grid-rows-[auto_1fr]' : ''}`}
      >
        <div className="grid min-w-0 gap-6">
          <FailedJobs order={order} me={me} />
          <Facts order={order} />
          <Payments order={order} />
        </div>
        {isOperator && (
          <div className="min-w-0 lg:sticky lg:top-4 lg:row-span-2">
            <ActionPanel order={order} me={me} />
          </div>
        )}
        <div className="min-w-0">
          <Timeline order={order} me={me} />
        </div>
      </div>
    </>
  );
}

function Facts({ order }: { order: DeskOrder }) {
  return (
    <section aria-label="Facts" className="rounded-card border border-line bg-surface p-5">
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
        <Fact name="Order">
          <Id id={order.id} />
        </Fact>
        <Fact name="Service">{order.serviceName}</Fact>
        <Fact name="Amount">
          <span className="figure">{formatMoney(order.amount, order.currency)}</span>
          {order.amountRefunded > 0 && `, ${formatMoney(order.amountRefunded, order.currency)} refunded`}
        </Fact>
        <Fact name="E-mail">
          {order.customerEmail ? (
            <a href={mailto(order.customerEmail)} className="link">
              {order.customerEmail}
            </a>
          ) : (
            'Erased'
          )}
        </Fact>
        <Fact name="Placed">
          <Moment at={order.createdAt} />
        </Fact>
        {order.paidAt && (
          <Fact name="Paid">
            <Moment at={order.paidAt} />
          </Fact>
        )}
        {order.failureReason && <Fact name="Failure">{order.failureReason}</Fact>}
        {order.disputes.map((dispute) => (
          <Fact key={dispute.id} name="Dispute">
            {formatMoney(dispute.amount, order.currency)}, {endOf(dispute)}
            {dispute.reason && `, ${codeInWords(dispute.reason)}`}
            {dispute.outcome === 'open' && dispute.isRefundable && ', ends with a full refund'}
            {dispute.outcome === 'open' && dispute.evidenceDueAt && (
              <>
                , evidence due <Moment at={dispute.evidenceDueAt} />
              </>
            )}
            {dispute.dashboardUrl && (
              <a href={dispute.dashboardUrl} target="_blank" rel="noreferrer" className="link block w-fit">
                Open the dispute
              </a>
            )}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function endOf({ outcome, ending, byRefund }: DeskOrder['disputes'][number]): string {
  if (byRefund) return 'closed by the refund';
  if (ending === 'none') return 'closed without a decision';
  return ending === 'payout' ? 'closed with a payout by PayPal' : outcome;
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere max-sm:-mt-2">{children}</dd>
    </>
  );
}
