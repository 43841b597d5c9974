import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface CertificateContents {
  subject: string;
  issuer: string;
  subjectKey: KeyObject;
  issuerKey: KeyObject;
  /** A certificate authority, or the host of a leaf. */
  role: Authority | Server;
}

interface Authority {
  authority: true;
  /** How many further authorities may be below it. */
  pathLength?: number;
}

interface Server {
  host: string;
  /** The DER of the purpose's object identifier in hex, such as 2b06010505070301 for servers; without one, every purpose. */
  purpose?: string;
}

const YEAR_MS = 365 * 86_400_000;

/** A signed X.509 v3 certificate as PEM (RFC 5280): Node.js reads certificates but cannot issue them. */
export function issueCertificate(contents: CertificateContents): string {
  const publicKey = createPublicKey(contents.subjectKey).export({ type: 'spki', format: 'der' });
  const issuerPublicKey = createPublicKey(contents.issuerKey).export({ type: 'spki', format: 'der' });
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(15)]);
  const toBeSigned = sequence(
    context(0, integer(Buffer.from([2]))),
    integer(serial),
    sha256WithRsa,
    name(contents.issuer),
    sequence(time(Date.now() - 86_400_000), time(Date.now() + 10 * YEAR_MS)),
    name(contents.subject),
    publicKey,
    context(3, sequence(...extensions(contents, keyId(publicKey), keyId(issuerPublicKey)))),
  );
  const signature = sign('sha256', toBeSigned, contents.issuerKey);
  return pem(sequence(toBeSigned, sha256WithRsa, bitString(signature)));
}

function extensions(contents: CertificateContents, subjectKeyId: Buffer, issuerKeyId: Buffer): Buffer[] {
  const identity = [
    extension('551d0e', tag(0x04, subjectKeyId)),
    extension('551d23', sequence(tag(0x80, issuerKeyId))),
  ];
  if ('authority' in contents.role) {
    return [
      ...identity,
      extension('551d13', sequence(TRUE, ...pathLength(contents.role)), true),
      extension('551d0f', keyUsage(0x06, 1), true),
    ];
  }
  const host = sequence(tag(0x82, Buffer.from(contents.role.host)));
  return [
    ...identity,
    extension('551d13', sequence(), true),
    extension('551d0f', keyUsage(0x80, 7), true),
    extension('551d11', host),
    ...purpose(contents.role),
  ];
}

function pathLength({ pathLength }: Authority): Buffer[] {
  return pathLength === undefined ? [] : [integer(Buffer.from([pathLength]))];
}

function purpose({ purpose }: Server): Buffer[] {
  return purpose === undefined ? [] : [extension('551d25', sequence(tag(0x06, Buffer.from(purpose, 'hex'))))];
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  return sequence(tag(0x06, Buffer.from(oid, 'hex')), ...(critical ? [TRUE] : []), tag(0x04, value));
}

// keyCertSign + cRLSign are bits 5 and 6 (0x06, 1 unused), digitalSignature is bit 0 (0x80, 7 unused).
function keyUsage(bits: number, unused: number): Buffer {
  return tag(0x03, Buffer.from([unused, bits]));
}

function keyId(spki: Buffer): Buffer {
  return createHash('sha1').update(spki).digest();
}

function name(commonName: string): Buffer {
  const part = (oid: string, text: string) =>
    tag(0x31, sequence(tag(0x06, Buffer.from(oid, 'hex')), tag(0x0c, Buffer.from(text))));
  return sequence(part('55040a', 'Querywright Sandbox'), part('550403', commonName));
}

function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  // Required form until 2049.
  return text < '2050' ? tag(0x17, Buffer.from(text.slice(2))) : tag(0x18, Buffer.from(text));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function tag(type: number, content: Buffer): Buffer {
  const size = content.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([type, size]), content]);
  const bytes = size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([type, ...bytes]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tag(0x30, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return tag(0x02, bytes);
}

function bitString(bytes: Buffer): Buffer {
  return tag(0x03, Buffer.concat([Buffer.from([0]), bytes]));
}

function context(number: number, content: Buffer): Buffer {
  return tag(0xa0 + number, content);
}

const TRUE = Buffer.from([0x01, 0x01, 0xff]);
const sha256WithRsa = sequence(
  tag(0x06, Buffer.from('2a864886f70d01010b', 'hex')),
  Buffer.from([0x05, 0x00]),
);
