import { z } from 'zod';
import {
  idempotencyKey,
  orderPath,
  orderRequest,
  orderStatusEvent,
  orderView,
  payableOrder,
  paymentIntentCreated,
  payOrderRequest,
  paypalOrderCreated,
} from '../../core/orders.ts';
import { errors, type Operation, ok, providerFailed, tooManyRequests } from './operation.ts';

const idempotent = z.object({ 'Idempotency-Key': idempotencyKey.optional() });
const notPlaced = {
  409: 'The amount differs from the price, or the order is paid, being paid or expired.',
  422: 'The Idempotency-Key was used for another order.',
  ...tooManyRequests,
  ...providerFailed,
};

export const orderOperations: readonly Operation[] = [
  {
    id: 'createPaymentIntent',
    method: 'post',
    path: '/api/create-payment-intent',
    tag: 'Orders',
    summary: 'Place an order that is paid by card',
    description:
      'The same `Idempotency-Key` returns the same order and client secret. With the key of a PayPal order, that order is kept and its payment is replaced.',
    headers: idempotent,
    body: orderRequest,
    answers: {
      ...ok('The order and the PaymentIntent that pays it.', paymentIntentCreated),
      ...errors(notPlaced),
    },
  },
  {
    id: 'createPaypalOrder',
    method: 'post',
    path: '/api/create-paypal-order',
    tag: 'Orders',
    summary: 'Place an order that is paid with PayPal',
    description: 'The same `Idempotency-Key` returns the same order.',
    headers: idempotent,
    body: orderRequest,
    answers: { ...ok('The order.', paypalOrderCreated), ...errors(notPlaced) },
  },
  {
    id: 'getOrder',
    method: 'get',
    path: '/api/orders/{orderId}',
    tag: 'Orders',
    summary: 'Read an order',
    description: 'The id is a UUID that cannot be guessed and the only key to the order.',
    params: orderPath,
    answers: { ...ok('The order.', orderView), ...errors({ 404: 'No such order.' }) },
  },
  {
    id: 'payOrder',
    method: 'post',
    path: '/api/orders/{orderId}/payment',
    tag: 'Orders',
    summary: 'Pay an existing order',
    description:
      'For a buyer who returns by the order’s link, in any browser. The order keeps its price; choosing another method replaces its payment.',
    params: orderPath,
    body: payOrderRequest,
    answers: {
      ...ok('The order, with a client secret if it is paid by card.', payableOrder),
      ...errors({
        404: 'No such order.',
        409: 'The order is paid, being paid or expired.',
        ...tooManyRequests,
        ...providerFailed,
      }),
    },
  },
  {
    id: 'followOrder',
    method: 'get',
    path: '/api/orders/{orderId}/events',
    tag: 'Orders',
    summary: 'Follow an order',
    description:
      'Server-Sent Events: one `status` event at once and one after each change, with an OrderStatusEvent as its data.',
    params: orderPath,
    answers: {
      200: { description: 'The event stream.', schema: orderStatusEvent, form: 'stream' },
      ...errors({ 404: 'No such order.', 429: 'Too many streams of this client or order are open.' }),
    },
  },
];
