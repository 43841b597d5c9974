import { type KeyObject, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Config } from '../../infra/config.ts';

/** Whether the certificate is PayPal's cannot be told here and now. */
export class CertificateUndecided extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CertificateUndecided';
  }
}

const LONGEST_BYTES = 64 * 1024;
const TIME_LIMIT_MS = 3_000;
const MOST_KEPT = 20;

/**
 * PayPal's signing certificates: fetched from PayPal's own host only, their chain checked up to a root that Node.js
 * trusts, and kept while they are valid.
 */
export function certificateSource(config: Config['paypal']) {
  const kept = new Map<string, { key: KeyObject; goodUntil: number }>();
  const signer =
    config.environment === 'live' && !config.local
      ? 'messageverificationcerts.paypal.com'
      : 'messageverificationcerts.sandbox.paypal.com';

  return {
    /** Judged by its text alone: no connection is opened to any other place. */
    isPaypals(address: string): boolean {
      if (!URL.canParse(address)) return false;
      const url = new URL(address);
      const { origin, folder } = certificateFolder(config);
      const name = url.pathname.startsWith(folder) ? url.pathname.slice(folder.length) : '';
      return (
        url.href === address && url.origin === origin && /^[\w-]{1,100}$/.test(name) && url.search === ''
      );
    },

    /**
     * The key of the certificate there; undefined if there is no certificate.
     * @throws CertificateUndecided
     */
    async keyAt(address: string): Promise<KeyObject | undefined> {
      const known = kept.get(address);
      if (known && known.goodUntil > Date.now()) return known.key;
      const pem = await download(address);
      if (pem === undefined) return undefined;
      const chain = readChain(pem);
      const leaf = chain[0];
      if (!leaf) return undefined;
      checkChain(chain, signer, await trustedRoots(config));
      kept.set(address, { key: leaf.publicKey, goodUntil: Date.parse(leaf.validTo) });
      const oldest = kept.keys().next().value;
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      return leaf.publicKey;
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

/** The PEM text; undefined where the server says that there is none. */
async function download(address: string): Promise<string | undefined> {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    if (answer.status >= 500) throw new Error(`The certificate's server answers ${answer.status}`);
    if (!answer.ok) return undefined;
    return await readLimited(answer);
  } catch (error) {
    throw new CertificateUndecided('The signing certificate cannot be fetched', { cause: error });
  }
}

async function readLimited(answer: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > LONGEST_BYTES) return undefined;
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
  throw new CertificateUndecided('The signing certificate does not lead to a trusted root');
}

let nodeRoots: X509Certificate[] | undefined;

/** Those that Node.js trusts; locally the sandbox's own. */
async function trustedRoots({ local, apiUrl }: Config['paypal']): Promise<X509Certificate[]> {
  if (local) return readChain((await download(`${apiUrl}/sandbox/root.pem`)) ?? '');
  nodeRoots ??= rootCertificates.map((pem) => new X509Certificate(pem));
  return nodeRoots;
}
