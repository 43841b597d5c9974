import { serviceBySlug } from '../../../core/catalogue.ts';
import {
  orderRequest,
  orderView,
  type PaymentMethod,
  payableOrder,
  paymentIntentCreated,
  paypalOrderCreated,
} from '../../../core/orders.ts';
import { serviceView } from '../../../core/services.ts';
import { codeOf, get, messageOf, post } from '../../lib/api-client.ts';
import { api, orderPaymentPath } from '../../lib/api-paths.ts';
import type { CheckoutDetails } from '../../lib/checkout-attempt.ts';
import type { FieldErrors } from '../../lib/use-field-errors.ts';
import { PriceChanged } from './refusal.ts';

/** An unpaid order. Only a card order has a client secret. */
export type PayableOrder =
  | { method: 'stripe'; orderId: string; clientSecret: string }
  | { method: 'paypal'; orderId: string };

/**
 * Creates an order; the same key returns the same order again.
 * @throws Error 'No service selected'; PriceChanged; ApiError if the server refuses; TypeError if it is out of reach
 */
export async function createOrder(
  method: PaymentMethod,
  details: CheckoutDetails,
  key: string,
  price: number | null,
): Promise<PayableOrder> {
  try {
    return await requestOrder(method, details, key, price);
  } catch (error) {
    if (codeOf(error) !== 'price_changed') throw error;
    throw new PriceChanged(messageOf(error, 'The price has changed.'), await currentPrice(details.service));
  }
}

/** An order that exists, to be paid this way. @throws ApiError if the server refuses; TypeError if it is out of reach */
export async function payOrder(method: PaymentMethod, orderId: string): Promise<PayableOrder> {
  const { clientSecret = '' } = payableOrder.parse(
    await post(orderPaymentPath(orderId), { paymentMethod: method }),
  );
  return method === 'stripe' ? { method, orderId, clientSecret } : { method, orderId };
}

/** Whether the server confirms that the order took no money. */
export async function isUnpaid(orderId: string): Promise<boolean> {
  try {
    return orderView.parse(await get(`${api.orders}/${encodeURIComponent(orderId)}`)).moneyTaken === 'none';
  } catch {
    return false;
  }
}

/** Undefined if the server does not answer. */
async function currentPrice(service: string): Promise<number | undefined> {
  try {
    return serviceView.parse(await get(`${api.services}/${encodeURIComponent(service)}`)).price;
  } catch {
    return undefined;
  }
}

async function requestOrder(
  method: PaymentMethod,
  details: CheckoutDetails,
  key: string,
  price: number | null,
): Promise<PayableOrder> {
  if (details.service === '') throw new Error('No service selected');
  const body = {
    serviceId: details.service,
    customerName: details.customerName.trim(),
    customerEmail: details.customerEmail.trim(),
    // The price on the page; the server refuses it if its own differs.
    amount: price ?? serviceBySlug(details.service).price,
  };
  const headers = { 'idempotency-key': key };
  if (method === 'stripe') {
    const created = paymentIntentCreated.parse(await post(api.createPaymentIntent, body, headers));
    return { method, ...created };
  }
  const created = paypalOrderCreated.parse(await post(api.createPaypalOrder, body, headers));
  return { method, ...created };
}

/** What the server would refuse, by field. */
export function detailErrors(details: CheckoutDetails): FieldErrors {
  const shape = orderRequest.shape;
  const name = shape.customerName.safeParse(details.customerName);
  const email = shape.customerEmail.safeParse(details.customerEmail);
  return {
    ...(name.success ? {} : { customerName: name.error.issues[0]?.message ?? 'Please check your name' }),
    ...(email.success ? {} : { customerEmail: email.error.issues[0]?.message ?? 'Please check your e-mail' }),
  };
}
