import { type KeyObject, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Config } from '../../infra/config.ts';
import { isTrusted, readChain } from './certificate-chain.ts';

/** The certificate could not be fetched or verified, so it is not known whether it is PayPal's. */
export class CertificateUndecided extends Error {
  /** Too many are being fetched: the sender should try again later. */
  readonly isBusy: boolean;
  constructor(message: string, { isBusy = false, ...options }: ErrorOptions & { isBusy?: boolean } = {}) {
    super(message, options);
    this.name = 'CertificateUndecided';
    this.isBusy = isBusy;
  }
}

const MAX_BYTES = 64 * 1024;
const TIME_LIMIT_MS = 3_000;
/** PayPal signs with a handful of certificates, so more at once are not PayPal's. */
const MAX_DOWNLOADS = 4;
const MAX_GOOD = 20;
const MAX_REFUSED = 200;
/** How long an address without a trusted certificate is not fetched again. */
const REFUSED_FOR_MS = 60_000;

interface Good {
  key: KeyObject;
  until: number;
}

interface Refused {
  reason: CertificateUndecided | undefined;
  until: number;
}

/**
 * PayPal's signing certificates: fetched from PayPal's own host only, once for concurrent callers, verified up to a root that
 * Node.js trusts, and cached while they are valid. Addresses without one are cached separately, so that made-up addresses
 * never displace a genuine certificate.
 */
export function certificateSource(config: Config['paypal']) {
  const good = new Map<string, Good>();
  const refused = new Map<string, Refused>();
  const pending = new Map<string, Promise<KeyObject | undefined>>();
  const signer =
    config.environment === 'live' && !config.local
      ? 'messageverificationcerts.paypal.com'
      : 'messageverificationcerts.sandbox.paypal.com';
  const { origin, folder } = certificateFolder(config);

  async function fetchKey(address: string): Promise<KeyObject | undefined> {
    try {
      const pem = await download(address);
      if (pem === undefined) {
        keep(refused, address, { reason: undefined, until: Date.now() + REFUSED_FOR_MS }, MAX_REFUSED);
        return undefined;
      }
      const chain = readChain(pem);
      const [leaf] = chain;
      // An error page may come with 200, as seen of a genuine address (https://github.com/paypal/PayPal-Python-SDK/issues/130).
      if (!leaf) throw new CertificateUndecided('certificate server answered without a certificate');
      if (!isTrusted(chain, signer, await trustedRoots(config)))
        throw new CertificateUndecided('signing certificate does not lead to a trusted root');
      keep(good, address, { key: leaf.publicKey, until: Date.parse(leaf.validTo) }, MAX_GOOD);
      return leaf.publicKey;
    } catch (error) {
      const reason = error instanceof CertificateUndecided ? error : undefined;
      if (reason) keep(refused, address, { reason, until: Date.now() + REFUSED_FOR_MS }, MAX_REFUSED);
      throw error;
    }
  }

  return {
    /** Compares the text only, so that user info, a query, a fragment or another spelling of the host is refused. */
    isPaypals(address: string): boolean {
      const prefix = origin + folder;
      return address.startsWith(prefix) && /^[\w-]{1,100}$/.test(address.slice(prefix.length));
    },

    /** The certificate's key; undefined without a certificate. @throws CertificateUndecided */
    async keyAt(address: string): Promise<KeyObject | undefined> {
      const known = current(good, address);
      if (known) return known.key;
      const recent = current(refused, address);
      if (recent?.reason) throw recent.reason;
      if (recent) return undefined;
      const shared = pending.get(address);
      if (shared !== undefined) return shared;
      if (pending.size >= MAX_DOWNLOADS)
        throw new CertificateUndecided('too many certificates at once', { isBusy: true });
      const download = fetchKey(address).finally(() => pending.delete(address));
      pending.set(address, download);
      return download;
    },
  };
}

function keep<T>(map: Map<string, T>, address: string, value: T, max: number): void {
  map.delete(address);
  map.set(address, value);
  const oldest = map.keys().next().value;
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}

function current<T extends { until: number }>(map: Map<string, T>, address: string): T | undefined {
  const found = map.get(address);
  return found && found.until > Date.now() ? found : undefined;
}

function certificateFolder({ environment, apiUrl, local }: Config['paypal']): {
  origin: string;
  folder: string;
} {
  const folder = '/v1/notifications/certs/';
  if (local) {
    const url = new URL(apiUrl);
    return { origin: url.origin, folder: url.pathname + folder };
  }
  return { origin: `https://api${environment === 'live' ? '' : '.sandbox'}.paypal.com`, folder };
}

/** The PEM text; undefined where the server has none. Any other answer, such as 403 or 429, decides nothing. */
async function download(address: string): Promise<string | undefined> {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    if (answer.status === 404 || answer.status === 410) return undefined;
    if (!answer.ok) throw new Error(`certificate server answered ${answer.status}`);
    return await readLimited(answer);
  } catch (error) {
    throw new CertificateUndecided('signing certificate could not be fetched', { cause: error });
  }
}

async function readLimited(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error('certificate response too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

let nodeRoots: X509Certificate[] | undefined;

/** Those that Node.js trusts; locally the sandbox's own. */
async function trustedRoots({ local, apiUrl }: Config['paypal']): Promise<X509Certificate[]> {
  if (local) return readChain((await download(`${apiUrl}/sandbox/root.pem`)) ?? '');
  nodeRoots ??= rootCertificates.map((pem) => new X509Certificate(pem));
  return nodeRoots;
}
