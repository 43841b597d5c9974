import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** A value sealed for one purpose does not open for another. */
export type SealPurpose = 'pending-logins';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts values for clients to keep. The first secret seals, every secret opens. */
interface Sealed {
  seal(purpose: SealPurpose, value: unknown): string;
  /** The value; undefined if it is forged, or sealed with another secret or for another purpose. */
  open(purpose: SealPurpose, sealed: string): unknown;
}

export function createSealed(secrets: string[]): Sealed {
  const [first = ''] = secrets;
  return {
    seal(purpose, value) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, keyOf(first, purpose), iv, { authTagLength: TAG_BYTES });
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
      for (const secret of secrets) {
        const text = decrypt(keyOf(secret, purpose), bytes);
        if (text !== undefined) return JSON.parse(text);
      }
      return undefined;
    },
  };
}

function decrypt(key: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(secret: string, purpose: SealPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}
