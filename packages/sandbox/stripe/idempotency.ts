import { StripeApiError } from './errors.ts';

/** The answer that a key gave, or `answer: null` while the first request with it is still at work. */
export interface StoredAnswer {
  fingerprint: string;
  requestId: string;
  answer: { status: number; body: string } | null;
}

// Stripe forgets keys after a day; a sandbox that is measured for minutes forgets by number.
const REMEMBERED = 50_000;

/** `Idempotency-Key` as Stripe's v1 does it: the first answer is the answer, 500s included. */
export class IdempotencyKeys {
  readonly #answers: Map<string, StoredAnswer>;

  constructor(answers: Map<string, StoredAnswer>) {
    this.#answers = answers;
    // Requests that a former run did not finish were never answered.
    for (const [key, stored] of answers) if (!stored.answer) answers.delete(key);
  }

  /**
   * The stored answer, or undefined when this request is the first and shall be done.
   * @throws StripeApiError when the key is in use, or was used with other parameters
   */
  begin(key: string, fingerprint: string, requestId: string): StoredAnswer | undefined {
    const stored = this.#answers.get(key);
    if (!stored) {
      this.#answers.set(key, { fingerprint, requestId, answer: null });
      if (this.#answers.size > REMEMBERED) this.#forgetOldest();
      return undefined;
    }
    if (stored.fingerprint !== fingerprint) throw otherParameters(key);
    if (!stored.answer) throw keyInUse(key);
    return stored;
  }

  finish(key: string, status: number, body: string): void {
    const stored = this.#answers.get(key);
    if (stored) stored.answer = { status, body };
  }

  /** Nothing was begun: the key is as good as new. */
  abandon(key: string): void {
    if (this.#answers.get(key)?.answer === null) this.#answers.delete(key);
  }

  #forgetOldest(): void {
    const oldest = this.#answers.keys().next().value;
    if (oldest) this.#answers.delete(oldest);
  }
}

function otherParameters(key: string): StripeApiError {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
  return new StripeApiError(400, { type: 'idempotency_error', message });
}

function keyInUse(key: string): StripeApiError {
  const message = `There is currently another in-progress request using this Idempotent Key: ${key}. This probably means you submitted twice, and the other request is still going through. Please try again later.`;
  return new StripeApiError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
}
