import { createHash } from 'node:crypto';
import type { ErrorRequestHandler, Response } from 'express';
import { IdentityProviderAway, LoginRefused } from '../infra/identity.ts';
import { toHttpError } from './error-handler.ts';
import { HttpError, Unavailable } from './errors.ts';

const style = `
  :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
  body { max-width: 32rem; margin: 15vh auto; padding: 0 1.5rem }
  h1 { font-size: 1.5rem; line-height: 1.25 }
`;
const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

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
  sendPage(res, answer.status, titles[answer.status] ?? 'Signing in did not work', answer.message);
};

const titles: Record<number, string> = {
  403: 'Nothing was changed',
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

function sendPage(res: Response, status: number, title: string, text: string): void {
  res.status(status).set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' }).type('html');
  res.send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} | Querywright</title><style>${style}</style></head>
<body><main><h1>${title}</h1><p>${text}</p>
<p><a href="/api/login?returnTo=/">Sign in again</a> · <a href="/">Back to the home page</a></p></main></body>
</html>
`);
}
