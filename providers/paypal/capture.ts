import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentFact, PaymentFacts } from '../../core/payment-facts.ts';
import type { PaymentReport } from '../../core/payment-reports.ts';
import { within } from '../../infra/deadline.ts';
import { ProviderError } from '../provider-error.ts';
import { captureOutcome, declineReasons } from './capture-issues.ts';
import type { PaypalClient } from './client.ts';
import { paypalOrder } from './facts.ts';
import { type PaypalReports, reportOf } from './reports.ts';

/** A capture and the checks of its outcome end within 10 s together. */
const CAPTURE_MS = 5_500;
const CHECK_MS = 4_000;
/** How long PayPal may take to show the outcome of a capture that was not answered with a success. */
const SECOND_CHECK_MS = 1_000;

/**
 * Captures once. PayPal captures an order a single time, and of two simultaneous calls with one PayPal-Request-Id the second
 * may fail. So after any answer but a success the outcome is read from PayPal's order.
 */
export function createPaypalCapture(client: PaypalClient, { report }: PaypalReports) {
  return async function capturePayment(
    paymentId: string,
    order: { id: string; facts: PaymentFacts },
    observedAt: number,
  ) {
    const { attempt } = order.facts;
    // After a decline the same id would repeat PayPal's first answer.
    const again = attempt?.status === 'failed' ? `-${attempt.observedAt}` : '';
    const paypalRequestId = `capture-${paymentId}${again}`;
    try {
      const captured = await client.ask(
        'capture order',
        ({ orders }) =>
          orders.captureOrder({ id: paymentId, paypalRequestId, prefer: 'return=representation' }),
        CAPTURE_MS,
      );
      return reportOf(paypalOrder.parse(captured), observedAt);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return reportAfterCapture(paymentId, observedAt, error);
    }
  };

  /** The outcome of a capture that was refused or not answered, as PayPal's order shows it. */
  async function reportAfterCapture(
    paymentId: string,
    observedAt: number,
    failure: ProviderError,
  ): Promise<PaymentReport> {
    const outcome = captureOutcome(failure.reason);
    const isUndecided = outcome === 'captured' || outcome === 'pending' || isTransient(failure);
    const state = await within(CHECK_MS, checkCapture(paymentId, observedAt, isUndecided)).catch(
      () => undefined,
    );
    if (state && state.facts.length > 0) return state;
    // The capture may still succeed: only a success or a refusal is final.
    if (isUndecided) return state ?? { paymentId, metadata: {}, stage: 'approved', facts: [] };
    if (outcome === 'ours') throw failure;
    const undecided = state ?? { paymentId, metadata: {}, facts: [] };
    if (outcome === 'not approved') return { ...undecided, stage: 'open' };
    const fact: PaymentFact = {
      kind: 'attempt',
      paymentId,
      status: 'failed',
      reason: declineReasons[outcome],
      observedAt,
    };
    return { ...undecided, stage: outcome === 'retry' ? 'open' : 'closed', facts: [fact] };
  }

  async function checkCapture(paymentId: string, observedAt: number, isUndecided: boolean) {
    const first = await report(paymentId, observedAt).catch(() => undefined);
    if (!isUndecided || (first && first.facts.length > 0)) return first;
    await sleep(SECOND_CHECK_MS);
    return report(paymentId, observedAt).catch(() => first);
  }
}

/** No answer, or one that says nothing about the capture itself. */
function isTransient({ statusCode }: ProviderError): boolean {
  return statusCode === undefined || statusCode >= 500 || statusCode === 409 || statusCode === 429;
}
