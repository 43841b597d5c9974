import { z } from 'zod';
import { toHundredths } from './minor-units.ts';

// Stripe's objects as far as the pipeline reads them, the same in answers and in webhook events, with amounts in hundredths.
// An id may come expanded.

function inHundredths<Field extends string>(field: Field) {
  return <Value extends { [_ in Field]: number } & { currency?: string | null | undefined }>(
    value: Value,
  ): Value => (value.currency ? { ...value, [field]: toHundredths(value[field], value.currency) } : value);
}

const reference = z.union([z.string(), z.looseObject({ id: z.string() })]).nullish();

export const stripeRefund = z
  .object({
    id: z.string(),
    amount: z.int(),
    currency: z.string().nullish(),
    status: z.string().nullish(),
    payment_intent: reference,
  })
  .transform(inHundredths('amount'));

const stripeCharge = z.object({
  id: z.string(),
  disputed: z.boolean().default(false),
  payment_method_details: z.object({ type: z.string() }).nullish(),
  refunds: z.object({ data: z.array(stripeRefund), has_more: z.boolean().default(false) }).nullish(),
});

/** As an event carries it. */
export const refundedCharge = z
  .object({ amount_refunded: z.int().default(0), currency: z.string().nullish() })
  .transform(inHundredths('amount_refunded'));

export const stripeIntent = z
  .object({
    id: z.string(),
    status: z.string(),
    amount_received: z.int(),
    currency: z.string(),
    metadata: z
      .object({
        app: z.string().optional(),
        deployment: z.string().optional(),
        orderId: z.string().optional(),
      })
      .nullish(),
    latest_charge: z.union([z.string(), stripeCharge]).nullish(),
    last_payment_error: z
      .object({ message: z.string().nullish(), payment_method: z.object({ type: z.string() }).nullish() })
      .nullish(),
    cancellation_reason: z.string().nullish(),
    next_action: z.object({ type: z.string() }).nullish(),
    payment_method_types: z.array(z.string()).nullish(),
    client_secret: z.string().nullish(),
  })
  .transform(inHundredths('amount_received'));

/** Name and e-mail are those that the checkout sends with the card: docs.stripe.com/api/charges/object, billing_details. */
export const stripeOrigin = z
  .object({
    amount: z.int(),
    currency: z.string(),
    created: z.int(),
    description: z.string().nullish(),
    latest_charge: z
      .object({
        billing_details: z.object({ name: z.string().nullish(), email: z.string().nullish() }).nullish(),
      })
      .nullish(),
  })
  .transform(inHundredths('amount'));

const balanceTransaction = z
  .object({ amount: z.int(), currency: z.string().nullish() })
  .transform(inHundredths('amount'));

export const stripeDispute = z
  .object({
    id: z.string(),
    amount: z.int(),
    currency: z.string().nullish(),
    status: z.string(),
    reason: z.string().nullish(),
    is_charge_refundable: z.boolean().default(false),
    evidence_details: z.object({ due_by: z.number().nullish() }).nullish(),
    balance_transactions: z.array(balanceTransaction).nullish(),
  })
  .transform(inHundredths('amount'));

export const stripePayout = z
  .object({
    id: z.string(),
    amount: z.int(),
    currency: z.string(),
    failure_message: z.string().nullish(),
  })
  .transform(inHundredths('amount'));

/** Any object of an event that belongs to a payment. */
export const ofPayment = z.object({ id: z.string(), payment_intent: reference });

/** Our PaymentIntents carry their order's id, and so do their charges. */
export const namesOrder = z.object({ metadata: z.object({ orderId: z.string() }) });

export const stripeEvent = z.looseObject({
  id: z.string(),
  type: z.string(),
  object: z.string().optional(),
  livemode: z.boolean().optional(),
  /** A number of seconds; text in a thin event. */
  created: z.union([z.number(), z.string()]).optional(),
  api_version: z.string().nullish(),
  data: z.object({ object: z.unknown() }).optional(),
});

export type StripeIntent = z.infer<typeof stripeIntent>;
export type StripeRefund = z.infer<typeof stripeRefund>;
export type StripeDispute = z.infer<typeof stripeDispute>;

/** The id of an object that may come expanded. */
export function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}
