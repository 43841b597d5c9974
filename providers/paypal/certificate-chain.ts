import { X509Certificate } from 'node:crypto';

const END = '-----END CERTIFICATE-----';
const MAX_CERTIFICATES = 10;
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');

/** The certificates of a PEM text, the signer's first; none if one cannot be read. */
export function readChain(pem: string): X509Certificate[] {
  const blocks = pem.split(END).slice(0, -1);
  try {
    return blocks.slice(0, MAX_CERTIFICATES).map((block) => new X509Certificate(block.trimStart() + END));
  } catch {
    return [];
  }
}

/** Whether the chain holds up to a trusted root: name, purpose, dates, right to issue (RFC 5280 §6). */
export function isTrusted(chain: X509Certificate[], signer: string, roots: X509Certificate[]): boolean {
  const now = Date.now();
  const inDate = chain.every((one) => Date.parse(one.validFrom) <= now && now <= Date.parse(one.validTo));
  const linked = chain.every((one, index) => {
    const issuer = chain[index + 1];
    return !issuer || isIssuedBy(one, issuer, index);
  });
  const top = chain.at(-1);
  const rooted = roots.some(
    (root) => top && (root.fingerprint256 === top.fingerprint256 || isIssuedBy(top, root, chain.length - 1)),
  );
  const [leaf] = chain;
  return Boolean(leaf?.checkHost(signer)) && isForServers(leaf) && inDate && linked && rooted;
}

/** `checkIssued` also asks for the right to sign certificates (key usage). */
function isIssuedBy(
  certificate: X509Certificate,
  issuer: X509Certificate,
  intermediatesBelow: number,
): boolean {
  return (
    issuer.ca &&
    intermediatesBelow <= maxPathLength(issuer) &&
    certificate.checkIssued(issuer) &&
    certificate.verify(issuer.publicKey)
  );
}

/** The extended key usage, which Node.js calls `keyUsage`; without one a certificate is for every purpose. */
function isForServers(leaf: X509Certificate | undefined): boolean {
  return leaf?.keyUsage === undefined || leaf.keyUsage.includes(SERVER_AUTHENTICATION);
}

/** pathLenConstraint, read from DER (`SEQUENCE { BOOLEAN TRUE, INTEGER }`), as Node.js does not expose it. */
function maxPathLength({ raw }: X509Certificate): number {
  const at = raw.indexOf(BASIC_CONSTRAINTS);
  const extension = raw
    .subarray(at + BASIC_CONSTRAINTS.length, at + BASIC_CONSTRAINTS.length + 20)
    .toString('hex');
  const length = /^(?:0101ff)?04..30..0101ff0201(..)/.exec(extension)?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(length, 16);
}
