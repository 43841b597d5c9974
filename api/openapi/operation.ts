import type { z } from 'zod';
import { errorBody } from '../../core/http.ts';

export interface Operation {
  id: string;
  method: 'get' | 'post';
  path: string;
  tag: Tag;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  /** By content type; JSON where only a schema is given. */
  body?: z.ZodType | Record<string, z.ZodType>;
  bodyIsOptional?: boolean;
  session?: boolean;
  answers: Record<number, Answer>;
}

export interface Answer {
  description: string;
  schema?: z.ZodType;
  /** 'page': HTML, or JSON where no page can be shown. */
  form?: 'json' | 'page' | 'stream';
}

export const tags = {
  Services: 'The catalogue and the public settings.',
  Orders: 'Placing and following an order.',
  Payments: 'Paying an order by card or PayPal.',
  Webhooks: 'What Stripe and PayPal send.',
  Contact: 'Contact form and newsletter.',
  Account: 'Sign-in, the signed-in user and the enrollment.',
  Operation: 'Health and reports.',
  Desk: 'What staff see and do. In no public document.',
} as const;
type Tag = keyof typeof tags;

export function ok(description: string, schema: z.ZodType): Record<number, Answer> {
  return { 200: { description, schema } };
}

export function errors(reasons: Record<number, string>): Record<number, Answer> {
  return describe(reasons, { schema: errorBody });
}

export function errorPages(reasons: Record<number, string>): Record<number, Answer> {
  return describe(reasons, { schema: errorBody, form: 'page' });
}

function describe(reasons: Record<number, string>, answer: Omit<Answer, 'description'>) {
  return Object.fromEntries(
    Object.entries(reasons).map(([status, description]) => [status, { description, ...answer }]),
  );
}

export const tooManyRequests = { 429: 'Too many requests; `Retry-After` says when to try again.' };
export const providerFailed = { 502: 'The provider refused the call.' };

export const anyCall = errors({
  400: 'The request is malformed; `fields` names what is invalid.',
  408: 'The request took too long to arrive; the connection is closed.',
  414: 'The URL is too long.',
  421: 'The host is not the site’s own; the connection is closed.',
  431: 'The headers are too large; the connection is closed.',
  500: 'Unexpected error; the request id is in the log.',
  503: 'A dependency is unavailable; try again later.',
});

export const anyGet: Record<number, Answer> = { 304: { description: 'The request has `If-None-Match: *`.' } };

export const anyJsonCall = errors({
  403: 'Cross-site request.',
  413: 'The body is too large.',
  415: 'The body is not JSON in UTF-8.',
});
