import { z } from 'zod';
import { contactRequest } from '../../core/contact.ts';
import { acknowledgement } from '../../core/http.ts';
import { subscribeRequest, tokenRequest } from '../../core/newsletter.ts';
import { type Answer, errorPages, errors, type Operation, ok, tooManyRequests } from './operation.ts';

const formErrors = {
  400: 'A field is invalid.',
  413: 'The body is too large.',
  500: 'Unexpected error.',
  503: 'A dependency is unavailable, or all clients together are above a limit; `Retry-After` says when to try again.',
};

function jsonOrForm(schema: z.ZodType): Record<string, z.ZodType> {
  return { 'application/json': schema, 'application/x-www-form-urlencoded': schema };
}

function okOrPage(description: string): Record<number, Answer> {
  return { 200: { description, schema: acknowledgement, form: 'page' } };
}

export const contactOperations: readonly Operation[] = [
  {
    id: 'sendMessage',
    method: 'post',
    path: '/api/contact',
    tag: 'Contact',
    summary: 'Send a message to the firm',
    description: '`website` is a honeypot: leave it out. A form post is answered with a page.',
    body: jsonOrForm(contactRequest),
    answers: { ...okOrPage('Accepted.'), ...errorPages({ ...formErrors, ...tooManyRequests }) },
  },
  {
    id: 'subscribe',
    method: 'post',
    path: '/api/newsletter/subscribe',
    tag: 'Contact',
    summary: 'Request the newsletter',
    description:
      'Sends a confirmation mail. `website` is a honeypot: leave it out. A form post is answered with a page.',
    body: jsonOrForm(subscribeRequest),
    answers: {
      ...okOrPage('A confirmation mail is on its way.'),
      ...errorPages({ ...formErrors, 409: 'The address is already subscribed.', ...tooManyRequests }),
    },
  },
  {
    id: 'confirmSubscription',
    method: 'post',
    path: '/api/newsletter/confirm',
    tag: 'Contact',
    summary: 'Confirm a subscription',
    description: 'The token of the confirmation mail; an expired or invalid one is 400.',
    body: tokenRequest,
    answers: { ...ok('Confirmed.', acknowledgement), ...errors(tooManyRequests) },
  },
  {
    id: 'unsubscribe',
    method: 'post',
    path: '/api/newsletter/unsubscribe',
    tag: 'Contact',
    summary: 'End a subscription',
    description:
      "Takes the token in a JSON body, or as a mail program's one click (RFC 8058): the token in the query and the form field `List-Unsubscribe=One-Click`.",
    query: z.object({ token: z.string().optional() }),
    body: {
      'application/json': tokenRequest,
      'application/x-www-form-urlencoded': z.object({ 'List-Unsubscribe': z.literal('One-Click') }),
    },
    answers: { ...ok('Unsubscribed.', acknowledgement), ...errors(tooManyRequests) },
  },
  {
    id: 'openUnsubscribePage',
    method: 'get',
    path: '/api/newsletter/unsubscribe',
    tag: 'Contact',
    summary: 'Open the page that asks whether to unsubscribe',
    description: 'Changes nothing: mail scanners follow links.',
    query: z.object({ token: z.string().optional() }),
    answers: { 303: { description: 'To the page.' } },
  },
];
