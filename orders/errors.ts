import type { PaymentMethod } from '../core/orders.ts';

export type OrderErrorCode =
  | 'order_not_found'
  | 'service_not_found'
  | 'price_changed'
  | 'idempotency_key_reused'
  | 'order_paid'
  | 'order_expired'
  | 'payment_in_progress'
  | 'order_changed'
  | 'other_payment_method'
  | 'payment_of_another_order'
  | 'payment_not_approved'
  | 'provider_unavailable'
  | 'provider_refused'
  | 'forbidden'
  | 'fresh_sign_in_required'
  | 'action_not_possible';

/** Why an order cannot be placed, paid or acted on. api/http/error-handler.ts gives each `code` its HTTP status. */
export class OrderError extends Error {
  readonly code: OrderErrorCode;
  readonly fields: Record<string, string> | undefined;
  constructor(
    code: OrderErrorCode,
    message: string,
    { field, cause }: { field?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'OrderError';
    this.code = code;
    this.fields = field ? { [field]: message } : undefined;
  }
}

export const orderNotFound = () => new OrderError('order_not_found', 'Order not found');

export const serviceNotFound = () =>
  new OrderError('service_not_found', 'Unknown service', { field: 'serviceId' });

export const priceChanged = (what: string, price: string) =>
  new OrderError('price_changed', `The price of ${what} is ${price}.`, { field: 'amount' });

export const idempotencyKeyReused = () =>
  new OrderError('idempotency_key_reused', 'This Idempotency-Key was used for another order');

export const actionKeyReused = () =>
  new OrderError('idempotency_key_reused', 'This was recorded before. Reload the page to see it.');

export const orderPaid = () =>
  new OrderError('order_paid', 'This order is already paid. Its status page has the details.');

export const orderExpired = () =>
  new OrderError('order_expired', 'This order has expired. Please start a new one.');

export const paymentInProgress = () =>
  new OrderError('payment_in_progress', 'A payment for this order is already in progress. Please wait.');

/** The order changed after it was read. */
export const orderChanged = () =>
  new OrderError('order_changed', 'This order has just changed. Please try again.');

export const otherPaymentMethod = (method: PaymentMethod) =>
  new OrderError(
    'other_payment_method',
    `This order is to be paid by ${method === 'stripe' ? 'card' : 'PayPal'}.`,
  );

export const paymentOfAnotherOrder = () =>
  new OrderError('payment_of_another_order', 'This payment belongs to another order.');

export const paymentNotApproved = () =>
  new OrderError('payment_not_approved', 'The payment has not been approved in PayPal yet.');

export const operatorsOnly = () => new OrderError('forbidden', 'Only operators may do this.');

export const freshSignInRequired = () =>
  new OrderError('fresh_sign_in_required', 'Please sign in again to do this.');

export const actionNotPossible = (message: string) => new OrderError('action_not_possible', message);
