import { paths } from '../../core/paths.ts';

/**
 * Only the document of the page with the checkout may load the payment providers' scripts: its response carries
 * another content security policy than the rest of the site. So that page is always entered by a full load.
 */
export const CHECKOUT_META = 'csp-nonce';

const isCheckoutPath = (to: string) => to.split(/[?#]/)[0] === paths.pricing;

function checkoutMeta(): HTMLMetaElement | null {
  return typeof document === 'undefined' ? null : document.querySelector(`meta[name="${CHECKOUT_META}"]`);
}

/** Whether a link to this address must leave the present document. */
export function needsOwnDocument(to: string): boolean {
  return isCheckoutPath(to) && checkoutMeta() === null;
}

/** The nonce that the checkout's response allows for scripts and styles; browsers hide it from the attribute. */
export function scriptNonce(): string | undefined {
  const meta = checkoutMeta();
  return meta?.nonce || meta?.getAttribute('content') || undefined;
}
