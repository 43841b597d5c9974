import { z } from 'zod';
import { CURRENCY } from './money.ts';
import { serviceKey } from './services.ts';
import { emailAddress, line } from './text.ts';

export const orderStatuses = [
  'pending',
  'processing',
  'paid',
  'failed',
  'canceled',
  'partially_refunded',
  'refunded',
  'disputed',
  'review',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Whether money was taken for an order, exact or not: none, some that we hold, or all of it returned to the buyer. */
const moneyTaken = ['none', 'held', 'returned'] as const;
export type MoneyTaken = (typeof moneyTaken)[number];

export const paymentMethods = ['stripe', 'paypal'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** `amount` in cents. */
export const orderRequest = z.strictObject({
  serviceId: z.string('No service selected').min(1, 'No service selected').pipe(serviceKey),
  customerName: line('Name', 200),
  customerEmail: emailAddress,
  amount: z.int('Amount must be a whole number of cents').positive('Amount must be positive'),
});
export type OrderRequest = z.infer<typeof orderRequest>;

export const paymentIntentCreated = z.object({ clientSecret: z.string(), orderId: z.uuid() });
export type PaymentIntentCreated = z.infer<typeof paymentIntentCreated>;

export const paypalOrderCreated = z.object({ orderId: z.uuid() });

export const paypalSetup = z.object({ clientToken: z.string() });

export const paypalPaymentCreated = z.object({ id: z.string() });

export const confirmPaymentRequest = z.strictObject({
  orderId: z.uuid('Order id must be a UUID'),
  paymentIntentId: z
    .string('Payment intent id is required')
    .regex(/^pi_[A-Za-z0-9_]{1,120}$/, 'Not a payment intent id'),
});

const paypalOrderId = z
  .string('PayPal order id is required')
  .regex(/^[A-Z0-9]{1,36}$/, 'Not a PayPal order id');

/** `amount` as PayPal writes it: '2999.00'. */
export const paypalOrderRequest = z.strictObject({
  orderId: z.uuid('Order id must be a UUID'),
  amount: z
    .string('Amount must be a decimal string such as 2999.00')
    .regex(/^\d{1,9}(\.\d{1,2})?$/, 'Amount must be a decimal string such as 2999.00'),
  currency: z.literal(CURRENCY, `Currency must be ${CURRENCY}`),
  intent: z.literal('CAPTURE', 'Intent must be CAPTURE'),
});

export const paypalOrderPath = z.object({ paypalOrderId });

/** COMPLETED: PayPal has the money. PENDING: PayPal is still reviewing the payment. */
export const paypalCaptured = z.object({
  status: z.enum(['COMPLETED', 'PENDING', 'DECLINED']),
  /** What the buyer can do about a decline. */
  reason: z.string().optional(),
  /** Whether another way to pay can be chosen in PayPal's window. */
  canRetry: z.boolean().optional(),
});
export type PaypalCaptured = z.infer<typeof paypalCaptured>;

export const confirmPaypalPaymentRequest = z.strictObject({
  orderId: z.uuid('Order id must be a UUID'),
  paypalOrderId,
});

/** What the server knows now, not what the browser claimed. */
export const paymentConfirmed = z.object({ status: z.enum(orderStatuses) });

export const orderPath = z.object({ orderId: z.uuid('Order id must be a UUID') });

/** How the buyer pays an order that exists. */
export const payOrderRequest = z.strictObject({
  paymentMethod: z.enum(paymentMethods, 'Payment method must be stripe or paypal'),
});

/** Only a card payment has a client secret. */
export const payableOrder = z.object({ orderId: z.uuid(), clientSecret: z.string().optional() });
export type PayableOrder = z.infer<typeof payableOrder>;

/** Amounts in cents; `failureReason` is the provider's message. */
export const orderView = z.object({
  id: z.uuid(),
  serviceId: z.uuid(),
  amount: z.int(),
  amountRefunded: z.int(),
  moneyTaken: z.enum(moneyTaken),
  /** The buyer's bank returned the debit that paid the order. Absent from answers of earlier releases. */
  debitReturned: z.boolean().default(false),
  currency: z.string(),
  paymentMethod: z.enum(paymentMethods),
  /** Stripe's type of a payment method that is not a card. */
  methodType: z.string().nullable().default(null),
  status: z.enum(orderStatuses),
  customerEmail: z.string(),
  failureReason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  paidAt: z.iso.datetime().nullable(),
});
export type OrderView = z.infer<typeof orderView>;

export const orderStatusEvent = orderView
  .pick({
    id: true,
    status: true,
    amountRefunded: true,
    moneyTaken: true,
    debitReturned: true,
    methodType: true,
    failureReason: true,
    paidAt: true,
  })
  .extend({
    /** Absent from events of earlier releases. */
    paymentMethod: orderView.shape.paymentMethod.optional(),
  });
export type OrderStatusEvent = z.infer<typeof orderStatusEvent>;

/** The site sends one per checkout attempt. */
export const idempotencyKey = z
  .string()
  .regex(/^[\w-]{8,128}$/, 'Idempotency-Key must be 8 to 128 letters, digits, - or _');
