import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { isReturned, statusText } from '../../../core/order-texts.ts';
import type { OrderView } from '../../../core/orders.ts';
import { paths } from '../../../core/paths.ts';
import { Button, ButtonLink } from '../../components/ui/button.tsx';
import { ApiError } from '../../lib/api-client.ts';
import { forgetAttempt, renewAttempt } from '../../lib/checkout-attempt.ts';
import { OrderCard } from './order-card.tsx';
import { LoadingCards, LoadingHeading } from './order-loading.tsx';
import { orderQuery } from './order-queries.ts';
import { OrderSidebar } from './order-sidebar.tsx';
import { type StatusHead, StatusHeading } from './status-heading.tsx';
import { useLiveStatus } from './use-live-status.ts';

export function OrderResult({ orderId }: { orderId: string }) {
  const order = useQuery(orderQuery(orderId));
  useLiveStatus(orderId, order.data?.status);
  const { head, body } = viewOf(order);
  return (
    <>
      {/* A region announces what changes in it while it stays. */}
      <div role="status">{head ? <StatusHeading status={head} /> : <LoadingHeading />}</div>
      {body}
    </>
  );
}

function viewOf(order: UseQueryResult<OrderView>): { head?: StatusHead; body: ReactNode } {
  if (order.data) return { head: statusText(order.data), body: <KnownOrder order={order.data} /> };
  if (order.isPending) return { body: <LoadingCards /> };
  if (isUnknown(order.error)) return { head: unknown, body: <UnknownActions /> };
  return { head: unreachable, body: <UnreachableActions onRetry={() => void order.refetch()} /> };
}

function KnownOrder({ order }: { order: OrderView }) {
  const status = statusText(order);
  const { paidAt } = order;
  // An unpaid order stays open in this tab, to be paid by another attempt; a canceled one leaves its details.
  useEffect(() => {
    if (paidAt !== null) forgetAttempt();
    else if (order.status === 'canceled') renewAttempt();
  }, [paidAt, order.status]);
  return (
    <div className="mt-10 grid grid-cols-1 items-start gap-6 lg:grid-cols-[1.25fr_1fr]">
      <OrderCard order={order} />
      <div className="grid gap-6">
        <OrderSidebar order={order} next={status.next} />
        <OrderActions contact={status.next !== 'questions'}>
          {order.paidAt !== null && !isReturned(order) && <PrintButton />}
        </OrderActions>
      </div>
    </div>
  );
}

const unknown: StatusHead = {
  tone: 'neutral',
  title: 'We cannot find this order',
  text: 'The link may be incomplete. If you have paid, your confirmation e-mail has the full link, or write to us and we will look it up for you.',
};

export function UnknownOrder() {
  return (
    <>
      <div role="status">
        <StatusHeading status={unknown} />
      </div>
      <UnknownActions />
    </>
  );
}

function UnknownActions() {
  return (
    <div className="mt-8 sm:pl-19">
      <OrderActions />
    </div>
  );
}

const unreachable: StatusHead = {
  tone: 'waiting',
  title: 'Your order could not be loaded',
  text: 'This doesn’t affect your payment. We just can’t reach our systems right now. Please try again in a moment; you do not need to pay again.',
};

function UnreachableActions({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="mt-8 sm:pl-19">
      <OrderActions>
        <Button onClick={onRetry}>Try again</Button>
      </OrderActions>
    </div>
  );
}

function OrderActions({ children, contact = true }: { children?: ReactNode; contact?: boolean }) {
  return (
    <div className="no-print flex flex-wrap gap-3">
      {children}
      <ButtonLink to={paths.home} look="secondary">
        Back to Home
      </ButtonLink>
      {contact && (
        <ButtonLink to={paths.homeContact} look="secondary">
          Contact Us
        </ButtonLink>
      )}
    </div>
  );
}

function PrintButton() {
  return (
    <Button look="secondary" onClick={() => window.print()}>
      Print receipt
    </Button>
  );
}

const isUnknown = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);
