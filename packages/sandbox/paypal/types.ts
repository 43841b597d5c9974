/** The parts of PayPal's resources that are used here; tests validate them against PayPal's documents. */
export interface Money {
  currency_code: string;
  value: string;
}

export interface Link {
  href: string;
  rel: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
}

export interface PurchaseUnit {
  reference_id: string;
  amount: Money & { breakdown?: object };
  payee: { email_address: string; merchant_id: string };
  description?: string;
  custom_id?: string;
  invoice_id?: string;
  soft_descriptor?: string;
  items?: object[];
  payments?: { captures: PayPalCapture[]; refunds?: PayPalRefund[] };
}

export interface PayPalOrder {
  id: string;
  intent: 'CAPTURE';
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  purchase_units: [PurchaseUnit];
  create_time: string;
  update_time: string;
  payment_source?: { paypal: object };
  payer?: object;
  links: Link[];
}

type CaptureStatus = 'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED' | 'FAILED';

export interface PayPalCapture {
  id: string;
  status: CaptureStatus;
  status_details?: { reason: string };
  amount: Money;
  final_capture: true;
  seller_protection: { status: string; dispute_categories: string[] };
  seller_receivable_breakdown?: { gross_amount: Money; paypal_fee: Money; net_amount: Money };
  invoice_id?: string;
  custom_id?: string;
  create_time: string;
  update_time: string;
  supplementary_data?: { related_ids: { order_id: string } };
  payee: { email_address: string; merchant_id: string };
  links: Link[];
}

export interface PayPalRefund {
  id: string;
  status: 'COMPLETED' | 'PENDING' | 'FAILED' | 'CANCELLED';
  status_details?: { reason: 'ECHECK' };
  amount: Money;
  invoice_id?: string;
  custom_id?: string;
  note_to_payer?: string;
  seller_payable_breakdown: {
    gross_amount: Money;
    paypal_fee: Money;
    net_amount: Money;
    total_refunded_amount: Money;
  };
  create_time: string;
  update_time: string;
  links: Link[];
}

/** A case opened at PayPal, or a chargeback at the buyer's bank. */
export const disputeChannels = ['INTERNAL', 'EXTERNAL'] as const;

export interface PayPalDispute {
  dispute_id: string;
  create_time: string;
  update_time: string;
  disputed_transactions: {
    seller_transaction_id: string;
    invoice_number?: string;
    custom?: string;
    transaction_status: string;
    gross_amount: Money;
  }[];
  reason: string;
  status: 'OPEN' | 'WAITING_FOR_SELLER_RESPONSE' | 'UNDER_REVIEW' | 'RESOLVED';
  seller_response_due_date: string;
  dispute_amount: Money;
  dispute_outcome?: {
    outcome_code: 'RESOLVED_SELLER_FAVOUR' | 'RESOLVED_BUYER_FAVOUR' | 'NONE' | 'RESOLVED_WITH_PAYOUT';
    amount_refunded: Money;
  };
  dispute_life_cycle_stage: 'INQUIRY' | 'CHARGEBACK';
  dispute_channel: (typeof disputeChannels)[number];
  links: Link[];
}

export interface PayPalEvent {
  id: string;
  event_version: '1.0';
  create_time: string;
  resource_type: string;
  resource_version: '2.0';
  event_type: string;
  summary: string;
  resource: object;
  links: Link[];
}

export interface PayPalWebhook {
  id: string;
  url: string;
  event_types: { name: string; description?: string }[];
  links: Link[];
}
