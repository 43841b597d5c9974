import type { ErrorRequestHandler } from 'express';
import { IdentityProviderUnavailable, LoginRejected } from '../../infra/identity.ts';
import { toHttpError } from '../http/error-handler.ts';
import { HttpError, Unavailable } from '../http/errors.ts';
import { sendPlainPage } from '../http/plain-page.tsx';

/** Answers errors of the sign-in redirects with pages instead of JSON. */
export const signInErrorPage: ErrorRequestHandler = (error, req, res, next) => {
  if (res.headersSent) return next(error);
  const answer = fromSignInError(error) ?? toHttpError(error);
  if (answer.status >= 500) req.log.error({ err: answer.cause ?? error }, 'sign-in failed');
  else req.log.warn({ reason: reasonOf(error), status: answer.status }, 'sign-in refused');
  res.set(answer.headers);
  const isSignOut = req.originalUrl.startsWith('/api/logout');
  sendPlainPage(res, answer.status, {
    title: isSignOut ? 'You are still signed in' : (titles[answer.status] ?? 'Sign-in failed'),
    text: answer.message,
    links: isSignOut ? [home] : [['/api/login?returnTo=/', 'Sign in again'], home],
  });
};

const home: [string, string] = ['/', 'Back to the home page'];

const titles: Record<number, string> = {
  429: 'A moment, please',
  503: 'Sign-in is temporarily unavailable',
};

function fromSignInError(error: unknown): HttpError | undefined {
  if (error instanceof IdentityProviderUnavailable) {
    return new Unavailable(
      'The sign-in service is not responding. Please try again soon; you can buy without an account.',
      error,
    );
  }
  if (error instanceof LoginRejected) {
    return new HttpError(400, 'The sign-in service did not confirm who you are. Please sign in again.', {
      cause: error,
    });
  }
  return undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof LoginRejected ? error.reason : String(Object(error).message);
}
