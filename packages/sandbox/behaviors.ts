import { captureIssues } from './paypal/capture-issues.ts';
import { oneOf, optionalPositive, type Switch, Switches } from './switches.ts';

export interface Behavior {
  effect: string;
  subject: string;
  /** The values it takes, the default first. */
  values?: readonly string[];
  /** The default of `ms`, for a behavior that takes time. Without it the behavior lasts until a control call. */
  ms?: number | 'control call';
}

const eventSubject = 'event type and object id';

/** What real providers sometimes do and the sandbox does on request. */
export const behaviors = {
  'stripe-event-version': {
    effect: 'renders events in this API version; before 2022-11-15 with `charges` instead of `latest_charge`',
    subject: eventSubject,
    values: ['2020-08-27', '2022-08-01', '2024-06-20'],
  },
  'stripe-event-without-charge': {
    effect: 'payment_intent.succeeded carries `latest_charge: null`',
    subject: eventSubject,
  },
  'stripe-late-charge': {
    effect: 'a retrieved succeeded PaymentIntent has `latest_charge: null`',
    subject: 'PaymentIntent id',
  },
  'stripe-late-refund': {
    effect: 'a retrieved PaymentIntent shows its refunds as before the last change: a new one is missing',
    subject: 'PaymentIntent id',
  },
  'stripe-late-dispute': {
    effect: 'a retrieved PaymentIntent shows a disputed charge as not `disputed`',
    subject: 'PaymentIntent id',
  },
  'stripe-late-outcome': {
    effect: 'a list of disputes shows one that is closed as it was opened',
    subject: 'PaymentIntent id',
  },
  'stripe-live-event': { effect: 'events carry `livemode: true`', subject: eventSubject },
  'stripe-undelivered-event': {
    effect: 'events are listed but never delivered (`delivery_success=false`)',
    subject: eventSubject,
  },
  'stripe-endless-events': {
    effect: 'a list of events never ends: its first page again',
    subject: 'ids of the objects on the first page',
  },
  'stripe-missing-event': { effect: 'events are neither listed nor delivered', subject: eventSubject },
  'stripe-thin-event': {
    effect: 'a signed thin event (v2.core.event) of this type follows',
    subject: eventSubject,
    values: ['v2.core.health.event_generation_failure.resolved', 'v2.core.event_destination.ping'],
  },
  'stripe-stored-error': {
    effect: 'a call with an idempotency key fails with a 500 that is stored under the key',
    subject: 'method and path',
  },
  'stripe-slow-payment': {
    effect: 'a card payment stays `processing`, then ends so',
    subject: 'PaymentIntent id',
    values: ['succeeded', 'failed'],
    ms: 'control call',
  },
  'stripe-microdeposits': {
    effect: 'a bank debit waits for its verification by micro-deposits',
    subject: 'PaymentIntent id',
  },
  'stripe-cancel-processing': {
    effect: 'a PaymentIntent that is `processing` can be canceled',
    subject: 'PaymentIntent id',
  },
  'stripe-pending-refund': {
    effect: 'a refund stays `pending`, then ends so',
    subject: 'charge and PaymentIntent id',
    values: ['succeeded', 'failed', 'canceled'],
    ms: 'control call',
  },
  'stripe-unconfirmed-refund': {
    effect:
      'a refund fails with a 500 that is stored under its idempotency key, and is made later all the same',
    subject: 'charge and PaymentIntent id',
    ms: 1000,
  },
  'stripe-dispute-turn': {
    effect: 'a closed dispute turns: lost to won, won to lost',
    subject: 'dispute id',
    ms: 1000,
  },
  'stripe-other-payment': {
    effect: 'each PaymentIntent is followed by a paid one without metadata',
    subject: 'PaymentIntent id',
  },
  'stripe-fraud-warning': { effect: 'a payment gets an early fraud warning', subject: 'PaymentIntent id' },
  'stripe-review': {
    effect: 'a payment gets a review, closed after `ms`',
    subject: 'PaymentIntent id',
    ms: 1000,
  },
  'stripe-failed-payout': { effect: 'a payment is followed by a failed payout', subject: 'PaymentIntent id' },
  'paypal-slow-capture': { effect: 'a capture takes this long', subject: 'order id', ms: 1500 },
  'paypal-concurrent-capture': {
    effect: 'a capture takes `ms`; another one with its PayPal-Request-Id fails meanwhile with this status',
    subject: 'order id',
    values: ['409', '422', '500'],
    ms: 500,
  },
  'paypal-capture-issue': {
    effect: 'a capture is refused with 422 and this issue',
    subject: 'order id',
    values: captureIssues,
  },
  'paypal-capture-without-order': {
    effect: 'captures lack `supplementary_data.related_ids` and `custom_id`',
    subject: 'order id',
  },
  'paypal-late-capture': { effect: 'a retrieved capture is not found (404)', subject: 'capture id' },
  'paypal-held-capture': {
    effect: 'a capture stays PENDING for this reason until the seller accepts it',
    subject: 'order id',
    values: [
      'RECEIVING_PREFERENCE_MANDATES_MANUAL_ACTION',
      'INTERNATIONAL_WITHDRAWAL',
      'UNILATERAL',
      'VERIFICATION_REQUIRED',
    ],
    ms: 'control call',
  },
  'paypal-echeck': {
    effect: 'a capture stays PENDING (ECHECK), then ends so',
    subject: 'order id',
    values: ['completed', 'denied'],
    ms: 'control call',
  },
  'paypal-declined-event': {
    effect: 'a denied capture is reported as PAYMENT.CAPTURE.DECLINED',
    subject: 'capture id',
  },
  'paypal-refused-refund': {
    effect: 'a refund is refused (422) for this issue',
    subject: 'capture id',
    values: ['REFUND_FAILED_INSUFFICIENT_FUNDS', 'REFUND_IS_RESTRICTED'],
  },
  'paypal-pending-refund': {
    effect: 'a refund stays PENDING, then ends so',
    subject: 'capture id',
    values: ['completed', 'failed', 'cancelled'],
    ms: 'control call',
  },
  'paypal-missing-event': {
    effect: 'events are neither listed nor delivered',
    subject: 'event type and ids of the resource and its capture',
  },
  'paypal-endless-events': {
    effect: 'the first page of a list of events links to itself as the next one',
    subject: 'ids of the resources on the first page',
  },
  'paypal-late-refund': {
    effect: 'a retrieved order shows its refunds as before the last change: a new one is missing',
    subject: 'order id',
  },
  'paypal-late-outcome': {
    effect: 'a retrieved dispute that is closed is shown as under review',
    subject: 'capture id',
  },
  'paypal-late-appeal': {
    effect: 'a retrieved dispute that is won on appeal is shown as lost, with an earlier `update_time`',
    subject: 'capture id',
  },
  'paypal-unbooked-dispute': {
    effect: 'a lost dispute is not booked as a reversal',
    subject: 'dispute id',
  },
  'paypal-short-client-token': {
    effect: 'client tokens live this long instead of 15 minutes',
    subject: '',
    ms: 1000,
  },
} as const satisfies Record<string, Behavior>;

export type BehaviorName = keyof typeof behaviors;
export const behaviorNames = Object.keys(behaviors) as BehaviorName[];

interface ActiveBehavior extends Switch {
  name: BehaviorName;
  value?: string;
  ms?: number;
}

export interface BehaviorRequest {
  name: BehaviorName;
  value?: string;
  ms?: number;
  count?: number;
  match?: string;
}

export class Behaviors extends Switches<ActiveBehavior> {
  /** @throws RangeError with a message for the caller if the request is invalid */
  add(request: Record<string, unknown> | BehaviorRequest): ActiveBehavior {
    const name = oneOf(behaviorNames, request.name, 'name');
    const { values, ms }: Behavior = behaviors[name];
    if (!values && request.value !== undefined) throw new RangeError(`${name} takes no value`);
    if (ms === undefined && request.ms !== undefined) throw new RangeError(`${name} takes no ms`);
    return this.insert({
      id: this.nextId(),
      matched: 0,
      name,
      value: values && (request.value === undefined ? values[0] : oneOf(values, request.value, 'value')),
      ms: optionalPositive(request.ms, 'ms') ?? (typeof ms === 'number' ? ms : undefined),
      match: typeof request.match === 'string' ? request.match : undefined,
      remaining: optionalPositive(request.count, 'count') ?? null,
    });
  }

  consume(name: BehaviorName, subject = ''): ActiveBehavior | undefined {
    return this.find((behavior) => behavior.name === name, subject);
  }
}
