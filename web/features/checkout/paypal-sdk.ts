import { paypalSetup } from '../../../core/orders.ts';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { loadScript } from '../../lib/load-script.ts';

/** The part of PayPal's script (v6) that a one-time payment uses. */
interface PaypalSession {
  start: (how: { presentationMode: 'auto' }, order: Promise<{ orderId: string }>) => Promise<void>;
}
interface PaypalEvents {
  onApprove: (approved: { orderId: string }) => Promise<void>;
  onCancel: (detail: unknown) => void;
  onError: (error: unknown) => void;
}
export interface PaypalInstance {
  createPayPalOneTimePaymentSession: (events: PaypalEvents) => PaypalSession;
}

declare global {
  interface Window {
    paypal?: {
      createInstance: (options: {
        clientToken: string;
        components: string[];
        pageType: string;
      }) => Promise<PaypalInstance>;
    };
  }
}

/** Loads PayPal's script and starts it with a client token. @throws if either is unavailable */
export async function openPaypal(scriptUrl: string): Promise<PaypalInstance> {
  const [{ clientToken }] = await Promise.all([
    get(api.paypalSetup).then((answer) => paypalSetup.parse(answer)),
    loadScript(scriptUrl),
  ]);
  if (!window.paypal) throw new Error(`${scriptUrl} did not define PayPal`);
  return window.paypal.createInstance({ clientToken, components: ['paypal-payments'], pageType: 'checkout' });
}
