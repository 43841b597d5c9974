import { setTimeout as sleep } from 'node:timers/promises';
import { declinesOf, type PaymentFact, type PaymentFacts } from '../../core/payment-facts.ts';
import type { PaymentReport } from '../../core/payment-reports.ts';
import { within } from '../../infra/deadline.ts';
import { ProviderError } from '../provider-error.ts';
import { captureOutcome, declineReasons } from './capture-issues.ts';
import type { PaypalClient } from './client.ts';
import { type PaypalReports, reportOf } from './reports.ts';
import { paypalOrder } from './resources.ts';

/** A capture and the checks of its outcome end within 10 s together. */
const CAPTURE_MS = 5_500;
const CHECK_MS = 4_000;
/** How long PayPal may take to show the outcome of a capture that was not answered with a success. */
const SECOND_CHECK_MS = 1_000;

interface Capture {
  paymentId: string;
  observedAt: number;
  declines: number;
}

/** `isDoubtful`: not captured, though the order is approved. PayPal may have repeated an earlier answer. */
type Outcome = ({ report: PaymentReport } | { failure: ProviderError }) & { isDoubtful?: boolean };

/**
 * Captures once. PayPal captures an order a single time, and of two simultaneous calls with one PayPal-Request-Id the second
 * may fail. So after any answer but a success the outcome is read from PayPal's order.
 */
export function createPaypalCapture(client: PaypalClient, { report }: PaypalReports) {
  return async function capturePayment(
    paymentId: string,
    { facts }: { id: string; facts: PaymentFacts },
    observedAt: number,
  ): Promise<PaymentReport> {
    const declines = declinesOf(facts, paymentId);
    const capture = { paymentId, observedAt, declines };
    // PayPal repeats its answer to an id: after each decline another one is needed.
    const requestId = `capture-${paymentId}${declines > 0 ? `-${declines}` : ''}`;
    const started = performance.now();
    let outcome = await ask(capture, requestId, CAPTURE_MS);
    const leftMs = CAPTURE_MS - (performance.now() - started);
    if (outcome.isDoubtful && leftMs > 1_000) {
      outcome = await ask(capture, `${requestId}-${observedAt}`, leftMs);
    }
    if ('failure' in outcome) throw outcome.failure;
    return outcome.report;
  };

  async function ask(capture: Capture, paypalRequestId: string, timeoutMs: number): Promise<Outcome> {
    const { paymentId: id, observedAt } = capture;
    try {
      const captured = await client.ask(
        'capture order',
        ({ orders }) => orders.captureOrder({ id, paypalRequestId, prefer: 'return=representation' }),
        timeoutMs,
      );
      return { report: reportOf(paypalOrder.parse(captured), observedAt) };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return outcomeOf(capture, error);
    }
  }

  /** The outcome of a capture that was refused or not answered, as PayPal's order shows it. */
  async function outcomeOf(
    { paymentId, observedAt, declines }: Capture,
    failure: ProviderError,
  ): Promise<Outcome> {
    const outcome = captureOutcome(failure.reason);
    const isUndecided = outcome === 'captured' || outcome === 'pending' || isTransient(failure);
    const state = await within(CHECK_MS, checkCapture(paymentId, observedAt, isUndecided)).catch(
      () => undefined,
    );
    if (state && state.facts.length > 0) return { report: state };
    // The capture may still succeed: only a success or a refusal is final.
    const isDoubtful = state?.stage === 'approved' && !isTransient(failure);
    if (isUndecided) {
      return { report: state ?? { paymentId, metadata: {}, stage: 'approved', facts: [] }, isDoubtful };
    }
    const undecided = state ?? { paymentId, metadata: {}, facts: [] };
    if (outcome === 'ours') return { failure, isDoubtful };
    if (outcome === 'not approved') return { report: { ...undecided, stage: 'open' }, isDoubtful };
    const fact: PaymentFact = {
      kind: 'attempt',
      paymentId,
      status: 'failed',
      reason: declineReasons[outcome],
      declines: declines + 1,
      observedAt,
    };
    return { report: { ...undecided, stage: outcome === 'retry' ? 'open' : 'closed', facts: [fact] } };
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
