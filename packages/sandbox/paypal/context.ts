import type { PayPalEvents } from './events.ts';
import type { PayPalState } from './state.ts';
import type { Link } from './types.ts';

/** The dependencies of every call. */
export interface PayPalContext {
  state: PayPalState;
  events: PayPalEvents;
  /** The sandbox's address followed by /paypal. */
  baseUrl: () => string;
  touch: () => void;
}

export function link(
  ctx: { baseUrl: () => string },
  rel: string,
  path: string,
  method: Link['method'] = 'GET',
): Link {
  return { href: `${ctx.baseUrl()}${path}`, rel, method };
}

export const merchant = { email_address: 'payments@querywright.example', merchant_id: 'QWSANDBXMRCH2' };
