import { StripeApiError } from './errors.ts';

/** The answer stored under a key, or `answer: null` while the first request with it is in progress. */
export interface StoredAnswer {
  fingerprint: string;
  requestId: string;
  answer: { status: number; body: string } | null;
}

/** `Idempotency-Key` as in Stripe's v1: the first answer is stored, 500s included. */
export class IdempotencyKeys {
  readonly #answers: Map<string, StoredAnswer>;

  constructor(answers: Map<string, StoredAnswer>) {
    this.#answers = answers;
    // Requests that a previous run did not finish were never answered.
    for (const [key, stored] of answers) if (!stored.answer) answers.delete(key);
  }

  /**
   * The stored answer, or undefined when this request is the first.
   * @throws StripeApiError when the key is in use, or was used with other parameters
   */
  begin(key: string, fingerprint: string, requestId: string): StoredAnswer | undefined {
    const stored = this.#answers.get(key);
    if (!stored) {
      this.#answers.set(key, { fingerprint, requestId, answer: null });
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

  abandon(key: string): void {
    if (this.#answers.get(key)?.answer === null) this.#answers.delete(key);
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
