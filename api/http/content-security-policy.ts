import type { Config } from '../../infra/config.ts';

type Policy = Record<string, readonly string[]>;

/** Marketing and account pages load our own files only. */
export function marketingPolicy(config: Config): string {
  return write({ ...base, 'img-src': imageSources(config), ...upgrade(config) });
}

const stripe = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  image: ['https://*.stripe.com'],
};
const paypal = ['https://*.paypal.com', 'https://*.paypalobjects.com', 'https://*.venmo.com'];

/** The checkout page also allows the payment providers' hosts, and styles with this response's nonce. */
export function checkoutPolicy(config: Config, nonce: string): string {
  const local = localProviders(config);
  return write({
    ...base,
    'script-src': ["'self'", `'nonce-${nonce}'`, ...stripe.script, ...paypal, ...local],
    'frame-src': [...stripe.frame, ...paypal, ...local],
    'connect-src': ["'self'", ...stripe.connect, ...paypal, ...local],
    'img-src': [...imageSources(config), ...stripe.image, ...paypal, ...local],
    'style-src': ["'self'", `'nonce-${nonce}'`, ...paypal],
    ...upgrade(config),
  });
}

const base: Policy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'worker-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'report-uri': ['/csp-report'],
  'report-to': ['csp'],
};

/** The picture of the signed-in person comes from the identity provider's hosts. */
function imageSources(config: Config): string[] {
  return ["'self'", 'data:', ...config.oidc.pictureOrigins];
}

/** The sandbox's origin if it stands in for a provider. */
function localProviders(config: Config): string[] {
  const scripts = [config.stripe.scriptUrl, config.paypal.scriptUrl].map((url) => new URL(url).origin);
  return [...new Set(scripts.filter((origin) => origin.startsWith('http://')))];
}

// Not over plain HTTP (local use), where browsers would request our own files over HTTPS.
function upgrade(config: Config): Policy {
  return config.publicUrl.startsWith('https:') ? { 'upgrade-insecure-requests': [] } : {};
}

function write(policy: Policy): string {
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ');
}
