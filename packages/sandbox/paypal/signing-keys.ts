import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { once } from '../once.ts';
import type { Persistent } from '../state-file.ts';
import { issueCertificate } from './x509.ts';

interface SavedKeys {
  leafKey: string;
  leaf: string;
  intermediate: string;
  root: string;
}

/** The subject of the certificate in PayPal's own sandbox. */
const HOST = 'messageverificationcerts.sandbox.paypal.com';

/** The certificate authority and the key that signs webhooks, created on first use and kept across restarts. */
export class SigningKeys implements Persistent {
  #saved: SavedKeys | undefined;
  #leafKey: KeyObject | undefined;
  readonly #touch: () => void;

  constructor(touch: () => void) {
    this.#touch = touch;
  }

  get privateKey(): KeyObject {
    this.#leafKey ??= createPrivateKey(this.#keys.leafKey);
    return this.#leafKey;
  }

  get publicKey(): KeyObject {
    return new X509Certificate(this.#keys.leaf).publicKey;
  }

  get chainPem(): string {
    return this.#keys.leaf + this.#keys.intermediate;
  }

  get rootPem(): string {
    return this.#keys.root;
  }

  snapshot(): SavedKeys | undefined {
    return this.#saved;
  }

  restore(saved: SavedKeys): void {
    this.#saved = saved;
  }

  get #keys(): SavedKeys {
    if (!this.#saved) {
      this.#saved = keysOfProcess();
      this.#touch();
    }
    return this.#saved;
  }
}

const keysOfProcess = once(makeKeys);

export function makeKeys(): SavedKeys {
  const [rootKey, intermediateKey, leafKey] = [newKey(), newKey(), newKey()];
  const root = 'Sandbox Root CA';
  const intermediate = 'Sandbox Issuing CA';
  const authority = { authority: true } as const;
  return {
    leafKey: leafKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    leaf: issueCertificate({
      subject: HOST,
      issuer: intermediate,
      subjectKey: leafKey,
      issuerKey: intermediateKey,
      role: { host: HOST },
    }),
    intermediate: issueCertificate({
      subject: intermediate,
      issuer: root,
      subjectKey: intermediateKey,
      issuerKey: rootKey,
      role: authority,
    }),
    root: issueCertificate({
      subject: root,
      issuer: root,
      subjectKey: rootKey,
      issuerKey: rootKey,
      role: authority,
    }),
  };
}

function newKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}
