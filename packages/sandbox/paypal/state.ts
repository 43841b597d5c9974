import { randomBytes } from 'node:crypto';
import type { Persistent } from '../state-file.ts';
import type { PayPalCapture, PayPalDispute, PayPalEvent, PayPalOrder, PayPalRefund } from './types.ts';

/** How the bank behind an approved order will behave when the order is captured. */
export type CaptureOutcome = 'completed' | 'pending' | 'declined';

export interface StoredReply {
  status: number;
  body: string;
}

/** Everything the PayPal stand-in knows, oldest first in every map. */
export class PayPalState implements Persistent {
  readonly orders = new Map<string, PayPalOrder>();
  readonly captures = new Map<string, PayPalCapture>();
  readonly refunds = new Map<string, PayPalRefund>();
  /** Refund id → capture id, which PayPal shows only as a link. */
  readonly captureOfRefund = new Map<string, string>();
  readonly disputes = new Map<string, PayPalDispute>();
  readonly events = new Map<string, PayPalEvent>();
  readonly outcomes = new Map<string, CaptureOutcome>();
  /** Where PayPal sends the buyer who did not come by a window. */
  readonly returnUrls = new Map<string, { returnUrl?: string; cancelUrl?: string }>();
  readonly replies = new Map<string, StoredReply>();

  snapshot(): Record<string, unknown[]> {
    return Object.fromEntries(this.#maps().map(([name, map]) => [name, [...map]]));
  }

  restore(saved: Record<string, [string, unknown][]>): void {
    for (const [name, map] of this.#maps()) {
      for (const [id, value] of saved[name] ?? []) map.set(id, value);
    }
  }

  #maps(): [string, Map<string, unknown>][] {
    return Object.entries(this).filter(
      (entry): entry is [string, Map<string, unknown>] => entry[1] instanceof Map,
    );
  }
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
