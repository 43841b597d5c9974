import type { Stripe } from '@stripe/stripe-js';
import type { SiteConfig } from '../../../core/site-config.ts';
import { loadScript } from '../../lib/load-script.ts';

/** Loads Stripe.js from Stripe's host or the sandbox. @throws if it is unavailable */
export async function openStripe(config: NonNullable<SiteConfig['stripe']>): Promise<Stripe> {
  await loadScript(config.scriptUrl);
  if (!window.Stripe) throw new Error(`${config.scriptUrl} did not define window.Stripe`);
  return window.Stripe(config.publishableKey);
}
