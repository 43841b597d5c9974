import { randomBytes } from 'node:crypto';
import { MapState } from '../map-state.ts';
import { RecentMap } from '../recent-map.ts';
import type { PayPalCapture, PayPalDispute, PayPalEvent, PayPalOrder, PayPalRefund } from './types.ts';

export type CaptureOutcome = 'completed' | 'pending' | 'declined';

export interface StoredReply {
  status: number;
  body: string;
}

export class PayPalState extends MapState {
  readonly orders = new Map<string, PayPalOrder>();
  readonly captures = new Map<string, PayPalCapture>();
  readonly refunds = new Map<string, PayPalRefund>();
  readonly orderOfCapture = new Map<string, string>();
  readonly captureOfRefund = new Map<string, string>();
  readonly disputes = new Map<string, PayPalDispute>();
  /** The reversal by which a lost dispute is booked. */
  readonly reversalOfDispute = new Map<string, string>();
  readonly events = new RecentMap<PayPalEvent>(20_000);
  /** For lists that never end: the pages that link to themselves, by query. */
  readonly endlessPages = new RecentMap<PayPalEvent[]>(100);
  readonly outcomes = new Map<string, CaptureOutcome>();
  /** For buyers who did not use the approval window. */
  readonly returnUrls = new Map<string, { returnUrl?: string; cancelUrl?: string }>();
  readonly replies = new RecentMap<StoredReply>(20_000);
}

const ID_ALPHABET = '0123456789ABCDEFGHJKLMNPRSTUVWXY';

/** An id as PayPal writes them: 17 capital letters and digits. */
export function newPayPalId(): string {
  return [...randomBytes(17)].map((byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join('');
}

/** A time as PayPal writes it: to the second. */
export function payPalNow(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
