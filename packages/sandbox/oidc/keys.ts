import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from '../once.ts';
import type { Persistent } from '../state-file.ts';

interface SavedKeys {
  signingKey: Record<string, unknown>;
  cookieSecret: string;
}

/** The provider's keys, created on first use and kept across restarts, so that its signatures stay valid. */
export class OidcKeys implements Persistent {
  #saved: SavedKeys | undefined;
  readonly #touch: () => void;

  constructor(touch: () => void) {
    this.#touch = touch;
  }

  get(): SavedKeys {
    if (!this.#saved) {
      this.#saved = { signingKey: keyOfProcess(), cookieSecret: randomBytes(32).toString('base64url') };
      this.#touch();
    }
    return this.#saved;
  }

  snapshot(): SavedKeys | undefined {
    return this.#saved;
  }

  restore(saved: SavedKeys): void {
    this.#saved = saved;
  }
}

const keyOfProcess = once(() => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' };
});
