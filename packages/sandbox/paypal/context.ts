import type { PayPalEvents } from './events.ts';
import type { PayPalState } from './state.ts';
import type { Link } from './types.ts';

/** What every call on the PayPal stand-in works with. */
export interface PayPalContext {
  state: PayPalState;
  events: PayPalEvents;
  /** PayPal's address here: the sandbox's with /paypal behind it. */
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
