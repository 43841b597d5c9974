import { z } from 'zod';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { loadScript } from '../../lib/load-script.ts';

/** The part of PayPal's script (v6) that a one-time payment needs. */
export interface PaypalSession {
  start: (how: { presentationMode: 'auto' }, order: Promise<{ orderId: string }>) => Promise<void>;
}
export interface PaypalEvents {
  onApprove: (approved: { orderId: string }) => Promise<void>;
  onCancel: (detail: unknown) => void;
  onError: (error: unknown) => void;
}
interface PaypalInstance {
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

const setup = z.object({ clientToken: z.string().min(1) });

/** PayPal's script from the address that the server names, opened with a client token. @throws when it cannot be had */
export async function openPaypal(scriptUrl: string): Promise<PaypalInstance> {
  const [{ clientToken }] = await Promise.all([
    get(api.paypalSetup).then((answer) => setup.parse(answer)),
    loadScript(scriptUrl),
  ]);
  if (!window.paypal) throw new Error(`${scriptUrl} did not bring PayPal`);
  return window.paypal.createInstance({ clientToken, components: ['paypal-payments'], pageType: 'checkout' });
}
