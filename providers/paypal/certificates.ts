import { type KeyObject, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Config } from '../../infra/config.ts';

/** It cannot be decided here and now whether the certificate is PayPal's. */
export class CertificateUndecided extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CertificateUndecided';
  }
}

const MAX_BYTES = 64 * 1024;
const TIME_LIMIT_MS = 3_000;
const MAX_KNOWN = 20;
/** PayPal signs with a handful of certificates: more at once are not PayPal's. */
const MAX_DOWNLOADS = 4;
/** How long an address without a good certificate is not asked again. */
const REFUSED_FOR_MS = 60_000;

interface Known {
  key: Promise<KeyObject | undefined>;
  goodUntil: number;
}

/**
 * PayPal's signing certificates: fetched from PayPal's own host only, once for all who wait, their chain checked up to a
 * root that Node.js trusts, and kept while they are valid.
 */
export function certificateSource(config: Config['paypal']) {
  const known = new Map<string, Known>();
  let downloads = 0;
  const signer =
    config.environment === 'live' && !config.local
      ? 'messageverificationcerts.paypal.com'
      : 'messageverificationcerts.sandbox.paypal.com';
  const { origin, folder } = certificateFolder(config);

  async function fetchKey(address: string, entry: Known): Promise<KeyObject | undefined> {
    const pem = await download(address);
    const chain = pem === undefined ? [] : readChain(pem);
    const leaf = chain[0];
    if (!leaf) return undefined;
    checkChain(chain, signer, await trustedRoots(config));
    entry.goodUntil = Date.parse(leaf.validTo);
    return leaf.publicKey;
  }

  return {
    /** Judged by its text alone: without user info, query, fragment or any other spelling of the same place. */
    isPaypals(address: string): boolean {
      const prefix = origin + folder;
      return address.startsWith(prefix) && /^[\w-]{1,100}$/.test(address.slice(prefix.length));
    },

    /**
     * The key of the certificate there; undefined if there is no certificate.
     * @throws CertificateUndecided
     */
    async keyAt(address: string): Promise<KeyObject | undefined> {
      const found = known.get(address);
      if (found && found.goodUntil > Date.now()) return found.key;
      if (downloads >= MAX_DOWNLOADS) throw new CertificateUndecided('too many certificates at once');
      const entry: Known = { key: Promise.resolve(undefined), goodUntil: Date.now() + REFUSED_FOR_MS };
      downloads++;
      entry.key = fetchKey(address, entry).finally(() => {
        downloads--;
      });
      known.delete(address);
      known.set(address, entry);
      const oldest = known.keys().next().value;
      if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
      return entry.key;
    },
  };
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

/** The PEM text; undefined where the server has none. */
async function download(address: string): Promise<string | undefined> {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    if (answer.status >= 500) throw new Error(`certificate server answered ${answer.status}`);
    if (!answer.ok) return undefined;
    return await readLimited(answer);
  } catch (error) {
    throw new CertificateUndecided('signing certificate could not be fetched', { cause: error });
  }
}

async function readLimited(answer: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function readChain(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.slice(0, 10).map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}

/** @throws CertificateUndecided unless every link holds: the signer's name, the dates, each issuer, a trusted root */
function checkChain(chain: X509Certificate[], signer: string, roots: X509Certificate[]): void {
  const now = Date.now();
  const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate) =>
    issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  const inDate = chain.every((one) => Date.parse(one.validFrom) <= now && now <= Date.parse(one.validTo));
  const linked = chain.every((one, index) => {
    const next = chain[index + 1];
    return !next || isIssuedBy(one, next);
  });
  const top = chain.at(-1);
  const rooted = roots.some(
    (root) => top && (root.fingerprint256 === top.fingerprint256 || isIssuedBy(top, root)),
  );
  if (chain[0]?.checkHost(signer) && inDate && linked && rooted) return;
  throw new CertificateUndecided('signing certificate does not lead to a trusted root');
}

let nodeRoots: X509Certificate[] | undefined;

/** Those that Node.js trusts; locally the sandbox's own. */
async function trustedRoots({ local, apiUrl }: Config['paypal']): Promise<X509Certificate[]> {
  if (local) return readChain((await download(`${apiUrl}/sandbox/root.pem`)) ?? '');
  nodeRoots ??= rootCertificates.map((pem) => new X509Certificate(pem));
  return nodeRoots;
}
