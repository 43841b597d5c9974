import { createHmac } from 'node:crypto';
import { isEqualInConstantTime } from './constant-time.ts';

/** A token for one purpose is not valid for another. */
export type TokenPurpose = 'newsletter-confirm' | 'newsletter-unsubscribe';

/** Tokens for links in e-mails: '<subject>.<expiry>.<signature>', signed with the first secret, accepted with any. */
export interface Tokens {
  /** `validMs` null: the token does not expire. */
  sign(purpose: TokenPurpose, subject: string, validMs: number | null): string;
  /** The subject; undefined if the token is forged, expired or for another purpose. */
  verify(purpose: TokenPurpose, token: string): string | undefined;
}

export function createTokens(secrets: string[], now: () => number = Date.now): Tokens {
  const [first = ''] = secrets;
  return {
    sign(purpose, subject, validMs) {
      const payload = `${subject}.${validMs === null ? 0 : now() + validMs}`;
      return `${payload}.${signature(first, purpose, payload)}`;
    },
    verify(purpose, token) {
      const [subject = '', expiry = '', given = '', ...rest] = token.split('.');
      if (rest.length > 0 || !/^\d{1,16}$/.test(expiry)) return undefined;
      const genuine = secrets.some((secret) =>
        isEqualInConstantTime(given, signature(secret, purpose, `${subject}.${expiry}`)),
      );
      const expired = expiry !== '0' && Number(expiry) < now();
      return genuine && !expired ? subject : undefined;
    },
  };
}

function signature(secret: string, purpose: TokenPurpose, payload: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n${payload}`).digest('base64url');
}
