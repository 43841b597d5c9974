import type { Money } from '../core/money.ts';
import type { PaymentMethod } from '../core/orders.ts';
import type { PaymentFacts } from '../core/payment-facts.ts';
import type { PaymentReport } from '../core/payment-reports.ts';

/** What a payment is created from. Amount in cents. */
export interface OrderToPay extends Money {
  id: string;
  receipt: string;
  /** Payments of this order that were replaced by later ones. How many is part of the idempotency key. */
  formerPaymentIds: readonly string[];
}

/** The part of an order that identifies its payments. */
export type PaymentOwner = Pick<OrderToPay, 'id' | 'formerPaymentIds'>;

/** A payment at the provider, ready for the buyer. */
export interface Payment {
  paymentId: string;
  /** What the buyer's browser needs to pay, if the provider has such a secret. Never stored. */
  clientSecret?: string;
}

/** A report that was asked for just now. */
export type LiveReport = PaymentReport & Payment;

/** An event about our account at the provider, not about a payment. Amount in cents. */
export interface AccountNotice {
  kind: 'payout_pending' | 'payout_paid' | 'payout_failed';
  id: string;
  amount: number;
  currency: string;
  reason: string | null;
}

/** What a stored event says: a payment's report, something about the account, or nothing that we act on. */
export type EventReading =
  | { report: PaymentReport }
  | { account: AccountNotice }
  | { ignored: string }
  /** The payment is not identifiable yet, or the provider's answer is older than the event: retried, then left to staff. */
  | { unknown: string }
  /** The provider answered 404. `missing` is what the event itself names: the payment, the order, or neither. */
  | { missing: Pick<PaymentReport, 'paymentId' | 'metadata'> };

export interface EventContext {
  ask<T>(call: () => Promise<T>): Promise<T>;
  now(): Promise<number>;
  /** The payments of this order that this provider may know, newest first. */
  paymentIdsOf(orderId: string | undefined): Promise<string[]>;
  /** Logs what operators should change at the provider, once per process. */
  warn(message: string): void;
}

/** An event as the provider keeps it, delivered to us or not. */
export interface ProviderEvent {
  eventId: string;
  type: string;
  payload: string;
}

/** A payment in the provider's own list that took money. */
export interface ListedPayment {
  paymentId: string;
  metadata: PaymentReport['metadata'];
}

/** What a payment was made for and by whom, as far as the provider knows. Amount in cents. */
export interface PaymentOrigin extends Money {
  receipt: string | null;
  createdAt: Date;
  payerName: string | null;
  payerEmail: string | null;
}

/** `orderId` is the order that it names, if any: anyone with access to the account may have written it. */
export type VerifiedEvent = Pick<ProviderEvent, 'eventId' | 'type'> & { orderId?: string | undefined };
export type HeaderReader = (name: string) => string | undefined;

/** Decides whether a webhook is genuine. */
export interface WebhookVerifier {
  /** False while no secret or webhook id is configured: the endpoint answers 404. */
  isConfigured: boolean;
  /** What is wrong with the headers, if anything. The body of such a request is not read. */
  headerFault(header: HeaderReader): string | undefined;
  /**
   * The id and type of a genuine event, and its order. Verified on the raw bytes.
   * @throws WebhookRefused for a forgery or something that is no event
   * @throws ProviderError if it cannot be decided now: the provider has to send it again
   */
  verify(rawBody: Buffer, header: HeaderReader): Promise<VerifiedEvent>;
}

/** The webhook is not the provider's, or not an event. */
export class WebhookRefused extends Error {
  readonly reason: 'bad_signature' | 'not_an_event';
  constructor(reason: WebhookRefused['reason'], cause?: unknown) {
    super(reason === 'bad_signature' ? 'signature verification failed' : 'not an event', { cause });
    this.name = 'WebhookRefused';
    this.reason = reason;
  }
}

export interface RegisteredWebhook {
  id: string;
  url: string;
  isEnabled: boolean;
  /** `*` stands for all. */
  events: readonly string[];
  /** The API version of its events, if the provider has versions; null: whatever the account's is. */
  apiVersion?: string | null;
}

/** The webhooks of our account, as the provider keeps them. */
export interface WebhookRegistry {
  /** The API version that we read, if the provider has versions. */
  apiVersion?: string;
  /** The id that is configured here, if the provider's signatures depend on it. */
  configuredId?: string;
  /** Whether one address can be registered several times, with a secret for each. */
  allowsDuplicateUrls: boolean;
  list(): Promise<RegisteredWebhook[]>;
  /** Registers the address for every event type that we act on. Returns what has to be set here then. */
  create(url: string): Promise<{ setting: string; value: string }>;
}

/**
 * Everything that the pipeline needs from a payment provider. Calls end within 10 s. A failed one throws {@link ProviderError},
 * unless its comment names another error; after a timeout the outcome is unknown, not failed. `observedAt` is the database's
 * time just before the call, ms since the epoch.
 */
export interface PaymentGateway {
  /** The event types that {@link readEvent} acts on. */
  handledEvents: readonly string[];
  webhook: WebhookVerifier;
  /** If the provider can be asked about its webhooks. */
  webhookRegistry?: WebhookRegistry;

  /** Creates the order's payment. A repetition returns the same one: the idempotency key is made of the order's id. */
  createPayment(order: OrderToPay): Promise<Payment>;
  /** What the provider says about the payment now. `withDisputes` includes disputes that need a separate call. */
  report(paymentId: string, observedAt: number, options?: { withDisputes: boolean }): Promise<LiveReport>;
  /** The payment created for this order whose id was not stored because the process died in between, if there is one. */
  findPaymentOf(order: PaymentOwner): Promise<string | undefined>;
  /** Cancels the payment if the provider can, and reports its state afterwards: it may have been paid meanwhile. */
  cancelPayment(paymentId: string, observedAt: number): Promise<PaymentReport>;
  /** Refunds a payment in full, once, however often this is called. */
  refundPayment(paymentId: string): Promise<void>;
  /**
   * Refunds an amount of a payment, once per key, however often this is called.
   * @throws RefundedElsewhere if the payment has a refund that was not known, such as one made in the provider's dashboard
   * @throws RefundUnknown if an earlier call may still take effect
   */
  refundPart(paymentId: string, money: Money, request: RefundRequest): Promise<void>;
  /** Captures what the buyer has approved (`stage`), once. Only if the provider does not capture by itself. */
  capturePayment?(
    paymentId: string,
    order: { id: string; facts: PaymentFacts },
    observedAt: number,
  ): Promise<PaymentReport>;

  /** Reads a stored event, and asks the provider where the event's copy is not enough. */
  readEvent(payload: unknown, context: EventContext): Promise<EventReading>;
  /**
   * The events since then that we act on, if the provider lists them.
   * @throws EndlessList after those that were read
   */
  eventsSince?(since: Date, until?: Date): AsyncIterable<ProviderEvent>;
  /** What the payment was made for, if the provider keeps it. An order whose row was lost is recreated from it. */
  originOf?(paymentId: string): Promise<PaymentOrigin>;
  /** The payments created since then that took money, if the provider lists them. */
  paymentsSince?(since: Date): AsyncIterable<ListedPayment>;
}

export interface RefundRequest {
  key: string;
  /** The payment's refunds that were known at that time. Absent from requests of earlier releases: nothing is compared. */
  known?: readonly string[] | undefined;
  /** How often staff have run it again after it had failed for good. */
  retries?: number | undefined;
  /** Time since its first failure, ms, by the database's clock. Reset when staff retry it. */
  failingForMs?: number | undefined;
}

export type PaymentGateways = Record<PaymentMethod, PaymentGateway>;

/** One key for one payment: the order's first, or a later one that replaces it. */
export function paymentIdempotencyKey(order: OrderToPay): string {
  const { length: replaced } = order.formerPaymentIds;
  return `order-${order.id}${replaced > 0 ? `-r${replaced}` : ''}`;
}
