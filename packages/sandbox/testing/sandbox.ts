import Stripe from 'stripe';
import { createSandbox, type Sandbox } from '../app.ts';
import { type SandboxConfig, sandboxDefaults } from '../config.ts';

export interface RunningSandbox extends Sandbox {
  url: string;
  port: number;
  smtpPort: number;
  /** The official client, pointed here. */
  stripeClient: Stripe;
}

/** Starts a sandbox on free ports. Close it at the end. */
export async function startSandbox(settings: Partial<SandboxConfig> = {}): Promise<RunningSandbox> {
  // Nothing listens on port 9: webhooks are not delivered until a test sets an address.
  const nowhere = { siteUrl: 'http://127.0.0.1:9', port: 0, smtpPort: 0 };
  const sandbox = createSandbox({ ...sandboxDefaults, ...nowhere, ...settings });
  const address = await sandbox.listen();
  return {
    ...sandbox,
    ...address,
    stripeClient: stripeClientFor(address.port, sandbox.config.stripe.secretKey),
  };
}

export function stripeClientFor(port: number, key: string, options: object = {}): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, ...options });
}
