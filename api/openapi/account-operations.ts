import { z } from 'zod';
import { accountView, currentUser } from '../../core/account.ts';
import { enrollmentForm, enrollmentSaved, enrollmentView } from '../../core/enrollment.ts';
import { sessionList, sessionPath, signedOutEverywhere } from '../../core/sessions.ts';
import { type Answer, errorPages, errors, type Operation, ok, tooManyRequests } from './operation.ts';

const signedOut = { 401: 'Not signed in.' };

const notOurPages = { 403: 'Not a navigation from this site.' };

/** People see sign-in's responses, so its errors are pages. */
function redirect(description: string, reasons: Record<number, string>): Record<number, Answer> {
  const pages = {
    400: 'The sign-in expired or was refused.',
    ...reasons,
    ...tooManyRequests,
    500: 'Unexpected error.',
    503: 'The identity provider or the session store is unavailable.',
  };
  const byPlainHttp = { description: 'To the same address by https.' };
  return { 301: byPlainHttp, 303: { description }, ...errorPages(pages) };
}

export const accountOperations: readonly Operation[] = [
  {
    id: 'logIn',
    method: 'get',
    path: '/api/login',
    tag: 'Account',
    summary: 'Go to the identity provider',
    description:
      '`returnTo` is a path of this site to come back to. With `fresh=1` the provider asks again who the person is.',
    query: z.object({ returnTo: z.string().optional(), fresh: z.literal('1').optional() }),
    answers: redirect('To the identity provider.', notOurPages),
  },
  {
    id: 'completeLogIn',
    method: 'get',
    path: '/api/callback',
    tag: 'Account',
    summary: 'Return from the identity provider',
    query: z.object({
      state: z.string().optional(),
      code: z.string().optional(),
      iss: z.string().optional(),
      error: z.string().optional(),
    }),
    answers: redirect('Back to the page where the sign-in started.', {}),
  },
  {
    id: 'logOut',
    method: 'get',
    path: '/api/logout',
    tag: 'Account',
    summary: 'Sign out here and at the identity provider',
    answers: redirect('To the identity provider, or to the home page.', notOurPages),
  },
  {
    id: 'getCurrentUser',
    method: 'get',
    path: '/api/auth/user',
    tag: 'Account',
    summary: 'Read the signed-in user',
    session: true,
    answers: { ...ok('The user.', currentUser), ...errors(signedOut) },
  },
  {
    id: 'getAccount',
    method: 'get',
    path: '/api/account',
    tag: 'Account',
    summary: 'Read the user’s orders, enrollment and newsletter',
    session: true,
    answers: { ...ok('The account.', accountView), ...errors(signedOut) },
  },
  {
    id: 'listSessions',
    method: 'get',
    path: '/api/account/sessions',
    tag: 'Account',
    summary: 'List the user’s sessions',
    session: true,
    answers: { ...ok('The sessions.', sessionList), ...errors({ ...signedOut, ...tooManyRequests }) },
  },
  {
    id: 'endSession',
    method: 'post',
    path: '/api/account/sessions/{sessionId}/sign-out',
    tag: 'Account',
    summary: 'End one of the user’s sessions',
    params: sessionPath,
    session: true,
    answers: {
      ...ok('The session has ended; these remain.', sessionList),
      ...errors({ ...signedOut, 404: 'The user has no such session.', ...tooManyRequests }),
    },
  },
  {
    id: 'signOutEverywhere',
    method: 'post',
    path: '/api/account/sign-out',
    tag: 'Account',
    summary: 'End all of the user’s sessions',
    session: true,
    answers: {
      ...ok('Signed out everywhere.', signedOutEverywhere),
      ...errors({ ...signedOut, ...tooManyRequests }),
    },
  },
  {
    id: 'getEnrollment',
    method: 'get',
    path: '/api/enrollment',
    tag: 'Account',
    summary: 'Read the saved enrollment',
    session: true,
    answers: { ...ok('The enrollment; null where nothing was saved.', enrollmentView), ...errors(signedOut) },
  },
  {
    id: 'enroll',
    method: 'post',
    path: '/api/enrollment',
    tag: 'Account',
    summary: 'Save the enrollment',
    session: true,
    body: enrollmentForm,
    answers: { ...ok('Saved.', enrollmentSaved), ...errors({ ...signedOut, ...tooManyRequests }) },
  },
];
