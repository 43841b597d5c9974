import { serviceBySlug } from '../../../core/catalogue.ts';
import { messages } from '../../../core/messages.ts';
import { formatMoney } from '../../../core/money.ts';
import type { PaymentMethod } from '../../../core/orders.ts';
import { ApiError, codeOf, messageOf } from '../../lib/api-client.ts';
import type { Attempt } from '../../lib/checkout-attempt.ts';

/** The server's price is another one than ours. `price` in cents, undefined if it could not be read. */
export class PriceChanged extends Error {
  readonly price: number | undefined;
  constructor(message: string, price: number | undefined) {
    super(message);
    this.name = 'PriceChanged';
    this.price = price;
  }
}

/** Why an order could not be created or continued, and the order to look at, if it is known. */
export interface CheckoutProblem {
  text: string;
  orderId: string | null;
  onRetry?: () => void;
}

/** The order exists and may be paid: another one must not take its place. */
const keepsOrder = new Set(['order_paid', 'payment_in_progress', 'order_changed', 'other_payment_method']);

/** A refusal that the same request would meet again ends its key: the next try is a new order. */
export function afterFailure(attempt: Attempt, error: unknown): Attempt {
  const closed = { ...attempt, paying: null };
  const renewed = { ...closed, key: null, orderId: null };
  if (error instanceof PriceChanged) return { ...renewed, price: error.price ?? null };
  if (keepsOrder.has(codeOf(error) ?? '')) return closed;
  const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
  return isFinal ? renewed : closed;
}

/** Whether the order of this key is over, so that a new one may take its place. */
export function isOver(error: unknown): boolean {
  return codeOf(error) === 'order_expired';
}

/** Shown when a new order replaces one that expired or was canceled and the payment starts over. */
export function replacement(method: PaymentMethod, isUnpaid: boolean): CheckoutProblem {
  const past = isUnpaid
    ? 'The earlier order is closed and nothing was charged.'
    : 'The earlier order is closed.';
  const next = method === 'stripe' ? 'please enter your card again.' : 'please pay again.';
  return { text: `${past} This is a new order: ${next}`, orderId: null };
}

/** Shown when the order stays and its canceled card payment is replaced. */
export const renewedPayment: CheckoutProblem = {
  text: 'This payment had expired. Please enter your card again.',
  orderId: null,
};

const stays = new Set(['order_paid', 'payment_in_progress', 'order_expired']);

/** What stays on the page about a refusal; undefined where a toast is enough. */
export function problemOf(attempt: Attempt, error: unknown): CheckoutProblem | undefined {
  if (error instanceof PriceChanged) return { text: changeOf(attempt, error), orderId: null };
  const code = codeOf(error);
  if (!stays.has(code ?? '')) return undefined;
  return { text: messageOf(error, 'This order is already being paid.'), orderId: attempt.orderId };
}

export const missingInformation = {
  title: 'Missing Information',
  description: 'Please fill in all fields',
  variant: 'destructive',
} as const;

/** What the toast says. PayPal's failures read alike, unless the buyer can act on the reason. */
export function failureText(method: PaymentMethod, error: unknown): string {
  if (method === 'stripe') return messageOf(error, messages.paymentIntentFailed);
  const isActionable =
    error instanceof ApiError && (error.status === 409 || codeOf(error) === 'rate_limited');
  return isActionable ? messageOf(error, messages.paypalOrderFailed) : messages.paypalOrderFailed;
}

function changeOf({ details, price }: Attempt, error: PriceChanged): string {
  if (details.service === '' || error.price === undefined) return error.message;
  const { name, price: listed } = serviceBySlug(details.service);
  return `The price of ${name} has changed from ${formatMoney(price ?? listed)} to ${formatMoney(error.price)}. Continue if you agree.`;
}
