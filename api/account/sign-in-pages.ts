import type { ErrorRequestHandler } from 'express';
import { IdentityProviderAway, LoginRefused } from '../../infra/identity.ts';
import { toHttpError } from '../http/error-handler.ts';
import { HttpError, Unavailable } from '../http/errors.ts';
import { sendPlainPage } from '../http/plain-page.ts';

/**
 * Errors of the addresses that people walk through on their way to and from the identity provider: pages, not JSON.
 * Every text is ours, nothing of the request is repeated in it.
 */
export const signInErrorPage: ErrorRequestHandler = (error, req, res, next) => {
  if (res.headersSent) return next(error);
  const answer = ofSignIn(error) ?? toHttpError(error);
  if (answer.status >= 500) req.log.error({ err: answer.cause ?? error }, 'sign-in failed');
  else req.log.warn({ reason: reasonOf(error), status: answer.status }, 'sign-in refused');
  res.set(answer.headers);
  const leaving = req.originalUrl.startsWith('/api/logout');
  sendPlainPage(res, answer.status, {
    title: leaving ? 'You are still signed in' : (titles[answer.status] ?? 'Signing in did not work'),
    text: answer.message,
    links: leaving ? [home] : [['/api/login?returnTo=/', 'Sign in again'], home],
  });
};

const home: [string, string] = ['/', 'Back to the home page'];

const titles: Record<number, string> = {
  429: 'A moment, please',
  503: 'Signing in is not possible at the moment',
};

function ofSignIn(error: unknown): HttpError | undefined {
  if (error instanceof IdentityProviderAway) {
    return new Unavailable(
      'The sign-in service does not answer. Everything else works: you can buy without an account, or try again soon.',
      error,
    );
  }
  if (error instanceof LoginRefused) {
    return new HttpError(400, 'The sign-in service did not confirm who you are. Please sign in again.', {
      cause: error,
    });
  }
  return undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof LoginRefused ? error.reason : String(Object(error).message);
}
