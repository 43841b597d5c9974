import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Stored {
  payload: AdapterPayload;
  expiresAt: number;
}

/** Sessions, codes and tokens of the provider, kept in memory until they expire. */
export class MemoryAdapter implements Adapter {
  readonly #kind: string;
  readonly #store: Map<string, Stored>;

  constructor(kind: string, store: Map<string, Stored>) {
    this.#kind = kind;
    this.#store = store;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    this.#forgetExpired();
    this.#store.set(this.#key(id), { payload, expiresAt: Date.now() + (expiresIn || 86_400) * 1000 });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const stored = this.#store.get(this.#key(id));
    return stored && stored.expiresAt > Date.now() ? stored.payload : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#first((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#first((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const stored = this.#store.get(this.#key(id));
    if (stored) stored.payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.#store.delete(this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of this.#store) if (payload.grantId === grantId) this.#store.delete(key);
  }

  #key(id: string): string {
    return `${this.#kind}:${id}`;
  }

  #first(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload, expiresAt }] of this.#store) {
      if (key.startsWith(`${this.#kind}:`) && expiresAt > Date.now() && matches(payload)) return payload;
    }
    return undefined;
  }

  #forgetExpired(): void {
    for (const [key, { expiresAt }] of this.#store) if (expiresAt <= Date.now()) this.#store.delete(key);
  }
}
