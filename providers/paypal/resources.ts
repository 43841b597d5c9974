import { z } from 'zod';

// PayPal's resources as far as the pipeline reads them, the same in answers and in webhook events:
// Orders v2, Payments v2 and Disputes v1 of PayPal's API.

const money = z.object({ currency_code: z.string(), value: z.string().regex(/^\d{1,12}(\.\d{1,3})?$/) });
const links = z.array(z.object({ rel: z.string(), href: z.string() })).default([]);
const ours = { custom_id: z.string().optional(), invoice_id: z.string().optional() };

export const paypalCapture = z.object({
  ...ours,
  id: z.string(),
  status: z.string(),
  amount: money,
  status_details: z.object({ reason: z.string().optional() }).optional(),
  supplementary_data: z
    .object({ related_ids: z.object({ order_id: z.string().optional() }).optional() })
    .optional(),
  links,
});

export const paypalRefund = z.object({
  ...ours,
  id: z.string(),
  status: z.string(),
  amount: money,
  links,
});

export const paypalOrder = z.object({
  id: z.string(),
  status: z.string(),
  purchase_units: z
    .array(
      z.object({
        ...ours,
        payments: z
          .object({ captures: z.array(paypalCapture).optional(), refunds: z.array(paypalRefund).optional() })
          .optional(),
      }),
    )
    .default([]),
});

/** The buyer's own name and address at PayPal, which may differ from those given to us: developer.paypal.com, Orders v2. */
export const paypalOrigin = z.object({
  create_time: z.iso.datetime({ offset: true }),
  purchase_units: z.tuple([z.object({ amount: money, description: z.string().optional() })], z.unknown()),
  payer: z
    .object({
      name: z.object({ given_name: z.string().optional(), surname: z.string().optional() }).optional(),
      email_address: z.string().optional(),
    })
    .optional(),
});

const disputedTransactions = z
  .array(
    z.object({
      seller_transaction_id: z.string().optional(),
      custom: z.string().optional(),
      invoice_number: z.string().optional(),
    }),
  )
  .default([]);

export const paypalDispute = z.object({
  dispute_id: z.string(),
  status: z.string(),
  update_time: z.string().optional(),
  reason: z.string().optional(),
  dispute_amount: money,
  dispute_channel: z.string().optional(),
  seller_response_due_date: z.string().optional(),
  dispute_outcome: z
    .object({ outcome_code: z.string().optional(), amount_refunded: money.optional() })
    .optional(),
  disputed_transactions: disputedTransactions,
});

/** The fields of any resource that may name its order. */
export const paypalNames = z.object({ ...ours, disputed_transactions: disputedTransactions });

export const paypalDisputes = z.object({ items: z.array(z.object({ dispute_id: z.string() })).default([]) });

/** An event as its webhook carries it and as PayPal lists it. Stored whole. */
export const paypalEvent = z.looseObject({
  id: z.string(),
  event_type: z.string(),
  create_time: z.string().optional(),
  resource: z.unknown(),
});

export const paypalEventPage = z.object({ events: z.array(paypalEvent).default([]), links });

export type PaypalNames = z.infer<typeof paypalNames>;
export type PaypalEvent = z.infer<typeof paypalEvent>;
export type PaypalOrder = z.infer<typeof paypalOrder>;
export type PaypalCapture = z.infer<typeof paypalCapture>;
export type PaypalRefund = z.infer<typeof paypalRefund>;
export type DisputedTransaction = z.infer<typeof disputedTransactions>[number];
export type PaypalDispute = z.infer<typeof paypalDispute>;
export type PaypalMoney = z.infer<typeof money>;
