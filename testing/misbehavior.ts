import type { RunningSandbox } from '@querywright/sandbox/testing';
import { drawBehavior } from '@querywright/sandbox/testing/draw-behavior';
import type { PaymentMethod } from '../core/orders.ts';

type Behavior = ReturnType<typeof drawBehavior>['name'];

/** How each provider can misbehave about a payment, and what the caller has to allow for. */
const table: Record<PaymentMethod, Partial<Record<Behavior, Allowance>>> = {
  stripe: {
    'stripe-event-version': {},
    'stripe-event-without-charge': {},
    'stripe-late-charge': {},
    'stripe-late-refund': {},
    'stripe-late-dispute': {},
    'stripe-late-outcome': {},
    'stripe-live-event': { withholds: true },
    'stripe-undelivered-event': { withholds: true },
    'stripe-missing-event': { withholds: true },
    'stripe-endless-events': {},
    'stripe-thin-event': {},
    'stripe-stored-error': { fails: true },
    'stripe-slow-payment': {},
    'stripe-microdeposits': {},
    'stripe-cancel-processing': {},
    'stripe-pending-refund': { ofCapture: true },
    'stripe-other-payment': {},
    'stripe-fraud-warning': {},
    'stripe-review': {},
    'stripe-failed-payout': {},
  },
  paypal: {
    'paypal-slow-capture': {},
    'paypal-concurrent-capture': { fails: true },
    'paypal-capture-issue': { fails: true },
    'paypal-capture-without-order': {},
    'paypal-late-capture': { ofCapture: true },
    'paypal-held-capture': {},
    'paypal-echeck': {},
    'paypal-missing-event': { withholds: true, ofCapture: true },
    'paypal-endless-events': {},
    'paypal-declined-event': { ofCapture: true },
    'paypal-refused-refund': { ofCapture: true },
    'paypal-pending-refund': { ofCapture: true },
    'paypal-late-refund': {},
    'paypal-late-outcome': { ofCapture: true },
    'paypal-late-appeal': { ofCapture: true },
  },
};

/** What can be drawn about a payment. */
export const misbehaviors = Object.values(table).flatMap((rows) => Object.keys(rows));

interface Allowance {
  /** Its webhooks are lost, so its state becomes known with the next check. */
  withholds?: true;
  /** A call may be answered with 502 or 503. */
  fails?: true;
  /** Compared with the charge or capture instead of the payment. */
  ofCapture?: true;
}

/** Makes the sandbox misbehave once about this payment, in a way drawn at random. */
export function misbehave(
  { behaviors }: RunningSandbox,
  payment: { provider: PaymentMethod; id: string; captureId?: string | undefined },
  random: () => number,
  { mayFail = true } = {},
): Allowance {
  const rows = table[payment.provider];
  const names = Object.entries(rows).filter(([, { fails }]) => mayFail || !fails);
  const drawn = drawBehavior(
    random,
    names.map(([name]) => name as Behavior),
  );
  const allowance = rows[drawn.name] ?? {};
  const match = allowance.ofCapture ? payment.captureId : payment.id;
  if (match) behaviors.add({ ...drawn, match });
  return allowance;
}
