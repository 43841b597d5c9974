import { firstSentence } from '../../core/first-sentence.ts';
import { formatMoney } from '../../core/money.ts';

const MOMENT = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** 'November 14, 2026 at 5:42 PM UTC'. @throws RangeError for an invalid date. */
export function moment(iso: string): string {
  return `${plainSpaces(MOMENT.format(new Date(iso)))} UTC`;
}

/** 'November 14, 2026', in UTC. @throws RangeError for an invalid date. */
export function day(iso: string): string {
  return plainSpaces(DAY.format(new Date(iso)));
}

// Intl puts a narrow no-break space before 'PM', which old mail clients render as a box.
function plainSpaces(value: string): string {
  return value.replace(/[\u202f\u00a0]/g, ' ');
}

export function exactMoney(amount: number | null, currency: string | null): string {
  if (amount === null || currency === null) return 'not stated';
  const money = formatMoney(amount, currency);
  return money.endsWith(currency) ? money : `${money} ${currency}`;
}

/** Omits names that contain an address: a form must not deliver 'Win at evil.example' to strangers. */
export function greeting(name: string): string {
  const trimmed = name.trim();
  const isName = trimmed.length > 0 && trimmed.length <= 60 && !/[@/\\<>\n]|www\.|\w\.\w{2,}/i.test(trimmed);
  return isName ? `Hello ${trimmed},` : 'Hello,';
}

const REASONS = new Map(
  Object.entries({
    insufficient_funds: 'The card does not have enough funds for this amount.',
    card_declined: 'The bank declined the card.',
    generic_decline: 'The bank declined the card.',
    do_not_honor: 'The bank declined the card.',
    expired_card: 'The card has expired.',
    incorrect_cvc: 'The security code (CVC) of the card is wrong.',
    incorrect_number: 'The card number is wrong.',
    processing_error: 'The bank could not process the card just now.',
    authentication_required: 'The bank asked for additional confirmation, which was not completed.',
    payment_intent_authentication_failure: 'The bank asked for additional confirmation, which failed.',
    instrument_declined: 'PayPal could not charge the chosen card or bank account.',
    payer_cannot_pay: 'PayPal could not charge this account.',
    transaction_refused: 'PayPal refused the payment.',
  }),
);

/** The reason as shown to the buyer: the provider's first sentence, ours for a known code, or a general one. */
export function plainReason(reason: string | null): string {
  const given = reason?.trim() ?? '';
  const known = REASONS.get(given.toLowerCase());
  if (known) return known;
  const isSentence = given.includes(' ');
  if (!isSentence) return 'The payment provider did not say why.';
  return firstSentence(given);
}

/** '1 hour', '24 hours', '3 days'. */
export function hours(count: number): string {
  if (count >= 48 && count % 24 === 0) return `${count / 24} days`;
  return count === 1 ? '1 hour' : `${count} hours`;
}
