import { setTimeout as sleep } from 'node:timers/promises';
import { messages } from '../core/messages.ts';
import { isUnsettled } from '../core/order-lifecycle.ts';
import type { OrderStatus, PaymentMethod } from '../core/orders.ts';
import { type EventSource, type PaymentReport, tookMoney } from '../core/payment-reports.ts';
import { databaseTime } from '../db/database.ts';
import { findOrder, findOrderByPayment, type Order, paymentIdsOf } from '../db/orders.ts';
import { crashPoint } from '../infra/crash-point.ts';
import type { OrderStream } from '../infra/order-stream.ts';
import { traceOrder } from '../infra/tracing.ts';
import { isNotFound } from '../providers/provider-error.ts';
import { askProvider } from './ask-provider.ts';
import { orderNotFound, paymentNotApproved, paymentOfAnotherOrder } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { receiveReport } from './receive-report.ts';
import { requirePayable } from './switch-payment.ts';

interface ConfirmParts extends OrderParts {
  orderStream: Pick<OrderStream, 'subscribe'>;
}

/** How long a call waits for the worker, so that the page's next read usually shows the result. */
const WORKER_MS = 2_000;

const unavailable: Record<PaymentMethod, string> = {
  stripe: messages.stripeUnavailable,
  paypal: messages.paypalUnavailable,
};

/**
 * Called when the buyer's browser claims to have paid, which is never believed: the provider is asked, and its answer goes
 * into the inbox. Returns the status that the worker derived from it within two seconds, otherwise the one before.
 * @throws OrderError
 */
export async function confirmPayment(
  parts: ConfirmParts,
  request: { orderId: string; paymentId: string; provider: PaymentMethod; requestId: string },
): Promise<OrderStatus> {
  const { orderId, paymentId, provider, requestId } = request;
  const order = await findOrder(parts.db, orderId);
  if (!order) throw orderNotFound();
  const isKnown = paymentIdsOf(order).includes(paymentId);
  if (!isKnown && (order.paymentIntentId || order.paymentMethod !== provider)) throw paymentOfAnotherOrder();
  const observedAt = await databaseTime(parts.db);
  const report = await askProvider(unavailable[provider], () =>
    parts.gateways[provider].report(paymentId, observedAt).catch((error: unknown) => {
      if (isNotFound(error) && !isKnown) throw paymentOfAnotherOrder();
      throw error;
    }),
  );
  crashPoint('after-confirm-question');
  requireOwnMoney(order, report, isKnown);
  return receiveAndWait(parts, order, report, { source: 'confirm call', provider, requestId });
}

interface CaptureAnswer {
  status: 'COMPLETED' | 'PENDING' | 'DECLINED';
  reason?: string;
  /** Whether the buyer can choose another way to pay at this provider. */
  canRetry?: boolean;
}

/**
 * Captures a payment that the buyer has approved, once: for an order that is already paid the provider is only asked, and
 * nothing is taken for one that has ended.
 * @throws OrderError
 */
export async function capturePayment(
  parts: ConfirmParts,
  request: { paymentId: string; provider: PaymentMethod; requestId: string },
): Promise<CaptureAnswer> {
  const { paymentId, provider, requestId } = request;
  const order = await findOrderByPayment(parts.db, paymentId);
  if (order?.paymentMethod !== provider) throw orderNotFound();
  crashPoint('before-capture');
  const report = await askProvider(unavailable[provider], () => captureOrReport(parts, order, paymentId));
  requireOwnMoney(order, report, true);
  crashPoint('after-capture');
  const outcome = outcomeOf(report);
  if (report.facts.length > 0) {
    await receiveAndWait(parts, order, report, { source: 'capture call', provider, requestId });
  }
  if (outcome) return outcome;
  // The worker captures too. If it was faster, only it received the decline.
  const current = await findOrder(parts.db, order.id);
  if (current?.status === 'failed') return declined(current.failureReason, report);
  if (report.stage === 'approved') return { status: 'PENDING' };
  throw paymentNotApproved();
}

async function captureOrReport(parts: OrderParts, order: Order, paymentId: string): Promise<PaymentReport> {
  const gateway = parts.gateways[order.paymentMethod];
  const observedAt = await databaseTime(parts.db);
  const isUnderWay = Object.keys(order.facts.captures).length > 0 || order.status === 'processing';
  if (isUnderWay || !gateway.capturePayment) return gateway.report(paymentId, observedAt);
  requirePayable(order);
  return gateway.capturePayment(paymentId, order, observedAt);
}

function outcomeOf(report: PaymentReport): CaptureAnswer | undefined {
  if (tookMoney(report)) return { status: 'COMPLETED' };
  const attempt = report.facts.find((fact) => fact.kind === 'attempt');
  if (!attempt) return undefined;
  if (attempt.status === 'processing') return { status: 'PENDING' };
  return declined(attempt.reason, report);
}

function declined(reason: string | null, { stage }: PaymentReport): CaptureAnswer {
  return { status: 'DECLINED', ...(reason ? { reason } : {}), canRetry: stage !== 'closed' };
}

/** A payment of ours may come without our order id: PayPal forgets old orders and everything on them. */
function requireOwnMoney(order: Order, report: PaymentReport, isKnown: boolean): void {
  if (report.metadata.orderId === order.id) return;
  if (tookMoney(report) || !isKnown) throw paymentOfAnotherOrder();
}

/** Stores the report and waits up to {@link WORKER_MS} for the worker to apply it. */
async function receiveAndWait(
  parts: ConfirmParts,
  order: Order,
  report: PaymentReport,
  origin: { source: EventSource; provider: PaymentMethod; requestId: string },
): Promise<OrderStatus> {
  traceOrder(order.id);
  const change = nextChange(parts.orderStream, order.id);
  try {
    if (await receiveReport(parts, order, report, origin)) await change.wait(WORKER_MS);
  } finally {
    change.end();
  }
  const current = await findOrder(parts.db, order.id);
  const status = current?.status ?? order.status;
  return isUnsettled(status) && tookMoney(report) ? 'processing' : status;
}

/** The order's next change; subscribed before it can happen. */
function nextChange(stream: ConfirmParts['orderStream'], orderId: string) {
  let end = () => {};
  const changed = new Promise<void>((resolve) => {
    end = stream.subscribe(orderId, () => resolve());
  });
  return {
    wait: (ms: number) => Promise.race([changed, sleep(ms, undefined, { ref: false })]),
    end,
  };
}
