import type { PaymentMethod } from '../core/orders.ts';
import { isOutage } from '../infra/outage.ts';
import type { EventContext, PaymentGateway } from './gateway.ts';
import { ProviderError } from './provider-error.ts';

/** Outages in a row that open the circuit. */
const OPEN_AFTER = 5;
const FIRST_PAUSE_MS = 5_000;
const MAX_DELAY_MS = 30_000;
const MIN_DELAY_MS = 100;

/** All slots of the provider are taken, or its circuit is open. The call was not made. */
export class ProviderBusy extends ProviderError {
  readonly retryInMs: number;
  constructor(provider: PaymentMethod, retryInMs: number) {
    super(provider, `${provider}: no free slot; retrying in ${Math.round(retryInMs)} ms`, {
      cause: undefined,
    });
    this.name = 'ProviderBusy';
    this.retryInMs = retryInMs;
  }
}

interface BulkheadOptions {
  slots: number;
  onCircuit?: (isOpen: boolean) => void;
  now?: () => number;
}

type Bulkhead = ReturnType<typeof createBulkhead>;

/**
 * Limits the concurrent calls to one provider, so that a slow one does not occupy the whole worker. Calls beyond the slots
 * are refused at once, each with a later time to retry, since waiting here would occupy a job. After {@link OPEN_AFTER}
 * outages in a row the circuit opens: no call is made for a while, then one at a time until one is answered.
 */
export function createBulkhead(
  provider: PaymentMethod,
  { slots, onCircuit = () => {}, now = () => performance.now() }: BulkheadOptions,
) {
  let inUse = 0;
  let outages = 0;
  let openUntil = 0;
  let lastTurn = 0;
  let typicalMs = 300;

  /** @throws ProviderBusy */
  function enter(): (error?: unknown) => void {
    const isSuspect = outages >= OPEN_AFTER;
    if (now() < openUntil || inUse >= (isSuspect ? 1 : slots)) throw new ProviderBusy(provider, retryInMs());
    const started = now();
    inUse += 1;
    return function leave(error) {
      inUse -= 1;
      typicalMs += (now() - started - typicalMs) / 10;
      record(error instanceof ProviderError && isOutage(error));
    };
  }

  /** ms until a refused call should be retried; refused calls are spread over the time in which slots become free. */
  function retryInMs(): number {
    const turn = Math.max(now(), openUntil, lastTurn) + typicalMs / slots;
    lastTurn = Math.min(turn, now() + MAX_DELAY_MS);
    return Math.max(lastTurn - now(), MIN_DELAY_MS);
  }

  function record(isFailure: boolean): void {
    const wasOpen = outages >= OPEN_AFTER;
    if (!isFailure) {
      outages = 0;
      openUntil = 0;
      lastTurn = 0;
      if (wasOpen) onCircuit(false);
      return;
    }
    // Failures of calls that were in flight when the circuit opened.
    if (now() < openUntil) return;
    outages += 1;
    if (outages < OPEN_AFTER) return;
    openUntil = now() + Math.min(FIRST_PAUSE_MS * 2 ** (outages - OPEN_AFTER), MAX_DELAY_MS);
    if (!wasOpen) onCircuit(true);
  }

  return {
    async run<T>(call: () => Promise<T>): Promise<T> {
      const leave = enter();
      try {
        const answer = await call();
        leave();
        return answer;
      } catch (error) {
        leave(error);
        throw error;
      }
    },

    /** A list holds its slot until it ends. */
    async *list<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
      const leave = enter();
      let failure: unknown;
      try {
        yield* items;
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        leave(failure);
      }
    },
  };
}

/**
 * What workers need of the gateway, each call through the bulkhead: all but `originOf` and `webhookRegistry`. Reading an event
 * takes a slot only when it asks the provider.
 */
export function withBulkhead(gateway: PaymentGateway, { run, list }: Bulkhead): PaymentGateway {
  const { capturePayment, eventsSince, paymentsSince } = gateway;
  return {
    handledEvents: gateway.handledEvents,
    webhook: gateway.webhook,
    createPayment: (...args) => run(() => gateway.createPayment(...args)),
    report: (...args) => run(() => gateway.report(...args)),
    findPaymentOf: (...args) => run(() => gateway.findPaymentOf(...args)),
    cancelPayment: (...args) => run(() => gateway.cancelPayment(...args)),
    refundPart: (...args) => run(() => gateway.refundPart(...args)),
    refundPayment: (...args) => run(() => gateway.refundPayment(...args)),
    readEvent: (payload, context: EventContext) => gateway.readEvent(payload, { ...context, ask: run }),
    ...(capturePayment && {
      capturePayment: (...args) => run(() => capturePayment.apply(gateway, args)),
    }),
    ...(eventsSince && { eventsSince: (...args) => list(eventsSince.apply(gateway, args)) }),
    ...(paymentsSince && { paymentsSince: (...args) => list(paymentsSince.apply(gateway, args)) }),
  };
}
