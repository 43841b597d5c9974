/** The sandbox's settings. The environment is read in this file only. */
export interface SandboxConfig {
  port: number;
  smtpPort: number;
  /** The address that both servers listen on: loopback by default, since the controls need no password. */
  host: string;
  /** The sandbox's address as a browser sees it; unset means http://localhost:<port>. */
  publicUrl?: string;
  /** The web process: receives webhooks; logins and payments return to it. */
  siteUrl: string;
  /** The state file; unset keeps the state in memory only. */
  dataFile?: string;
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; webhookEvents: string[] };
  paypal: { clientId: string; clientSecret: string; webhookId: string };
  oidc: { clientId: string; clientSecret: string };
}

export const sandboxDefaults: SandboxConfig = {
  port: 3100,
  smtpPort: 3125,
  host: '127.0.0.1',
  siteUrl: 'http://localhost:3000',
  stripe: {
    secretKey: 'sk_test_sandbox',
    publishableKey: 'pk_test_sandbox',
    webhookSecret: 'whsec_sandbox',
    webhookEvents: ['*'],
  },
  paypal: {
    clientId: 'sandbox-client-id',
    clientSecret: 'sandbox-client-secret',
    // Letters and digits only, as PayPal's document requires.
    webhookId: '1SANDBOXQUERYWRIGHT',
  },
  oidc: { clientId: 'querywright', clientSecret: 'sandbox-oidc-secret' },
};

/** @throws Error naming the variable that is invalid; an empty one counts as unset */
function readSandboxConfig(env: Record<string, string | undefined>): SandboxConfig {
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback;
  const d = sandboxDefaults;
  return {
    port: readPort(env, 'SANDBOX_PORT', d.port),
    smtpPort: readPort(env, 'SANDBOX_SMTP_PORT', d.smtpPort),
    host: text('SANDBOX_HOST', d.host),
    publicUrl: readAddress(env, 'SANDBOX_URL'),
    siteUrl: readAddress(env, 'SITE_URL') ?? d.siteUrl,
    dataFile: env.SANDBOX_DATA_FILE?.trim() || undefined,
    stripe: {
      secretKey: text('STRIPE_SECRET_KEY', d.stripe.secretKey),
      publishableKey: text('STRIPE_PUBLISHABLE_KEY', d.stripe.publishableKey),
      // A comma list while a secret is being rotated: the first one signs.
      webhookSecret: text('STRIPE_WEBHOOK_SECRET', d.stripe.webhookSecret).split(',')[0]?.trim() ?? '',
      webhookEvents: text('SANDBOX_STRIPE_EVENTS', '*').split(','),
    },
    paypal: {
      clientId: text('PAYPAL_CLIENT_ID', d.paypal.clientId),
      clientSecret: text('PAYPAL_CLIENT_SECRET', d.paypal.clientSecret),
      webhookId: text('PAYPAL_WEBHOOK_ID', d.paypal.webhookId),
    },
    oidc: {
      clientId: text('OIDC_CLIENT_ID', d.oidc.clientId),
      clientSecret: text('OIDC_CLIENT_SECRET', d.oidc.clientSecret),
    },
  };
}

export function sandboxConfigFromEnvironment(): SandboxConfig {
  return readSandboxConfig(process.env);
}

function readPort(env: Record<string, string | undefined>, name: string, fallback: number): number {
  const text = env[name]?.trim();
  if (!text) return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`${name} is not a port: ${text}`);
  return port;
}

function readAddress(env: Record<string, string | undefined>, name: string): string | undefined {
  const text = env[name]?.trim();
  if (!text) return undefined;
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new Error(`${name} is not an http address: ${text}`);
  return text.replace(/\/+$/, '');
}
