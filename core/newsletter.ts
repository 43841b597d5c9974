import { z } from 'zod';
import { emailAddress, honeypot } from './text.ts';

export const subscribeRequest = z.strictObject({
  email: emailAddress,
  website: honeypot,
});

export const tokenRequest = z.strictObject({
  token: z.string('The link is incomplete').min(1, 'The link is incomplete').max(500, 'The link is damaged'),
});

export const CONFIRMATION_VALID_HOURS = 48;

const CONFIRMATIONS_BEFORE_LONG_PAUSE = 5;
const PAUSE_SECONDS = 60;
const LONG_PAUSE_SECONDS = 86_400;

/** Minimum delay between confirmation mails to an unconfirmed address, so that no one can flood an inbox through us. */
export function confirmationPauseSeconds(sentSoFar: number): number {
  return sentSoFar < CONFIRMATIONS_BEFORE_LONG_PAUSE ? PAUSE_SECONDS : LONG_PAUSE_SECONDS;
}
