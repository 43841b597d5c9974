import { z } from 'zod';

/** Text that PostgreSQL can store and a mail header can carry: no control character, no unpaired surrogate. */
function cleanText(max: number, controls: RegExp, tooLong: string, required: string) {
  return z
    .string(required)
    .trim()
    .min(1, required)
    .max(max, tooLong)
    .refine((value) => !controls.test(value), 'Please remove control characters and line breaks')
    .refine((value) => value.isWellFormed(), 'Please remove broken characters');
}

/** '1 order', '2 orders'. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Whether the text can be stored and, as one line, put into a mail header. */
export function isClean(value: string, kind: 'line' | 'lines'): boolean {
  return value.isWellFormed() && !(kind === 'line' ? ANY_CONTROL : CONTROL_BUT_LINES).test(value);
}

const ANY_CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const CONTROL_BUT_LINES = /(?![\n\r\t])\p{Cc}/u;

export function line(label: string, max: number) {
  return cleanText(max, ANY_CONTROL, `${label} must be at most ${max} characters`, `${label} is required`);
}

/** Text of 1 to `max` characters; line breaks and tabs allowed. */
export function lines(label: string, max: number) {
  return cleanText(
    max,
    CONTROL_BUT_LINES,
    `${label} must be at most ${max} characters`,
    `${label} is required`,
  );
}

const SIMPLE_ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** An e-mail address without quoted parts, comments and lists, about which libraries disagree; domain in lower case. */
export const emailAddress = z
  .string('E-mail is required')
  .trim()
  .overwrite((value) => value.replace(/\.$/, ''))
  .min(1, 'E-mail is required')
  .max(254, 'E-mail must be at most 254 characters')
  .regex(SIMPLE_ADDRESS, 'Please enter a valid e-mail address')
  .refine(
    (value) => !value.includes('..') && !value.startsWith('.') && !value.includes('.@'),
    'Please enter a valid e-mail address',
  )
  .transform((value) => {
    const at = value.lastIndexOf('@');
    return value.slice(0, at) + value.slice(at).toLowerCase();
  });

/** A field that is hidden from people and filled in by bots. */
export const honeypot = z.string('Please leave this empty').max(500, 'Please leave this empty').optional();

/** Ids of rows, as PostgreSQL's bigint. */
export const ROW_ID = /^\d{1,18}$/;

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
