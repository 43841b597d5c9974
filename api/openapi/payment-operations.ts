import { z } from 'zod';
import { webhookReceived } from '../../core/http.ts';
import {
  confirmPaymentRequest,
  confirmPaypalPaymentRequest,
  paymentConfirmed,
  paypalCaptured,
  paypalOrderPath,
  paypalOrderRequest,
  paypalPaymentCreated,
  paypalSetup,
} from '../../core/orders.ts';
import { errors, type Operation, ok, providerFailed, tooManyRequests } from './operation.ts';

const confirmed = {
  ...ok('The status of the order as the server knows it.', paymentConfirmed),
  ...errors({
    404: 'No such order.',
    409: 'The payment belongs to another order.',
    ...tooManyRequests,
    ...providerFailed,
  }),
};

const webhook = {
  ...ok('Stored by this delivery or an earlier one.', webhookReceived),
  ...errors({
    404: 'The webhook is switched off.',
    413: 'The body is too large.',
    415: 'The body is not JSON.',
    ...tooManyRequests,
  }),
};
const event = z.looseObject({});

export const paymentOperations: readonly Operation[] = [
  {
    id: 'confirmPayment',
    method: 'post',
    path: '/api/confirm-payment',
    tag: 'Payments',
    summary: 'Report that a card payment was confirmed in the browser',
    description: 'Stripe is asked; what the browser reports is never believed.',
    body: confirmPaymentRequest,
    answers: confirmed,
  },
  {
    id: 'setUpPaypal',
    method: 'get',
    path: '/api/paypal/setup',
    tag: 'Payments',
    summary: "Get a client token for PayPal's script",
    answers: { ...ok('The token.', paypalSetup), ...errors({ ...tooManyRequests, ...providerFailed }) },
  },
  {
    id: 'createPaypalPayment',
    method: 'post',
    path: '/api/paypal/order',
    tag: 'Payments',
    summary: 'Create the PayPal order that pays an order',
    description:
      "The order's own amount is charged; `amount` is only compared. `orderId` is required, since otherwise a browser could set the price.",
    body: paypalOrderRequest,
    answers: {
      ...ok("PayPal's order id.", paypalPaymentCreated),
      ...errors({
        404: 'No such order.',
        409: 'The amount differs from the price, or the order cannot be paid with PayPal now.',
        ...tooManyRequests,
        ...providerFailed,
      }),
    },
  },
  {
    id: 'capturePaypalPayment',
    method: 'post',
    path: '/api/paypal/order/{paypalOrderId}/capture',
    tag: 'Payments',
    summary: 'Capture an approved PayPal payment',
    params: paypalOrderPath,
    body: z.looseObject({}),
    bodyIsOptional: true,
    answers: {
      ...ok("PayPal's answer.", paypalCaptured),
      ...errors({
        404: 'No such PayPal order.',
        409: 'The payment is not approved, or the order cannot be paid now.',
        ...tooManyRequests,
        ...providerFailed,
      }),
    },
  },
  {
    id: 'confirmPaypalPayment',
    method: 'post',
    path: '/api/confirm-paypal-payment',
    tag: 'Payments',
    summary: 'Report that a PayPal payment was captured',
    description: 'PayPal is asked; what the browser reports is never believed.',
    body: confirmPaypalPaymentRequest,
    answers: confirmed,
  },
  {
    id: 'receiveStripeEvent',
    method: 'post',
    path: '/api/webhooks/stripe',
    tag: 'Webhooks',
    summary: "Receive Stripe's events",
    description: 'The signature over the raw body is verified first. No 2xx before the event is committed.',
    headers: z.object({ 'Stripe-Signature': z.string() }),
    body: event,
    answers: webhook,
  },
  {
    id: 'receivePaypalEvent',
    method: 'post',
    path: '/api/webhooks/paypal',
    tag: 'Webhooks',
    summary: "Receive PayPal's events",
    description: 'The signature over the raw body is verified first. No 2xx before the event is committed.',
    headers: z.object({
      'Paypal-Transmission-Id': z.string(),
      'Paypal-Transmission-Time': z.string(),
      'Paypal-Transmission-Sig': z.string(),
      'Paypal-Cert-Url': z.string(),
      'Paypal-Auth-Algo': z.string(),
    }),
    body: event,
    answers: webhook,
  },
];
