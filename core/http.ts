import { z } from 'zod';

/** Clients distinguish errors by these. Codes may be added, but never renamed. */
const errorCodes = [
  'bad_request',
  'validation_failed',
  'not_signed_in',
  'fresh_sign_in_required',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'body_too_large',
  'url_too_long',
  'unsupported_media_type',
  'rate_limited',
  'orders_paused',
  'internal_error',
  'unavailable',
  'already_subscribed',
  'service_not_found',
  'order_not_found',
  'price_changed',
  'idempotency_key_reused',
  'order_paid',
  'order_expired',
  'order_changed',
  'other_payment_method',
  'payment_in_progress',
  'payment_not_approved',
  'payment_of_another_order',
  'provider_unavailable',
  'provider_refused',
  'action_not_possible',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Every error answer of the API: a message for people, a stable code for programs, and the invalid fields by name. */
export const errorBody = z.object({
  message: z.string(),
  code: z.enum(errorCodes),
  fields: z.record(z.string(), z.string()).optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

export const acknowledgement = z.object({ message: z.string() });

export const webhookReceived = z.object({ received: z.literal(true) });
