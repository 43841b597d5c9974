import { paths } from '../../core/paths.ts';

/** Only the checkout's document may load the providers' scripts, so it is always entered by a full load. */
export const CHECKOUT_META = 'csp-nonce';

const isCheckoutPath = (to: string) => to.split(/[?#]/)[0] === paths.pricing;

function checkoutMeta(): HTMLMetaElement | null {
  return typeof document === 'undefined' ? null : document.querySelector(`meta[name="${CHECKOUT_META}"]`);
}

/** Whether a link to this address needs a full load. */
export function needsOwnDocument(to: string): boolean {
  return isCheckoutPath(to) && checkoutMeta() === null;
}

/** The nonce of the checkout's response. Browsers hide it from the attribute. */
export function scriptNonce(): string | undefined {
  const meta = checkoutMeta();
  return meta?.nonce || meta?.getAttribute('content') || undefined;
}
