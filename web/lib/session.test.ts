import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SESSION_HINT_COOKIE } from '../../core/session-hint.ts';
import { api } from './api-paths.ts';
import { currentSession, renewSession, resetSession, sessionStore } from './session.ts';

const user = {
  email: 'ada@example.com',
  firstName: 'Ada',
  profileImageUrl: null,
  enrollmentStatus: 'pending',
};

const fetched = vi.fn<(path: string) => Promise<Response>>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  hint(true);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a visitor without the cookie is anonymous, and no call is made', async () => {
  hint(false);
  expect(await renewSession()).toEqual({ state: 'anonymous', lookUpFailed: false });
  expect(fetched).not.toHaveBeenCalled();
});

test('a client is signed in, and looked up once', async () => {
  fetched.mockResolvedValue(Response.json(user));
  expect(await renewSession()).toMatchObject({ state: 'signed-in', user: { firstName: 'Ada' } });
  expect(await currentSession()).toMatchObject({ state: 'signed-in' });
  expect(fetched.mock.calls.map(([path]) => path)).toEqual([api.currentUser]);
});

test('a session that has ended is anonymous', async () => {
  fetched.mockResolvedValue(
    Response.json({ message: 'Unauthorized', code: 'unauthorized' }, { status: 401 }),
  );
  expect(await renewSession()).toEqual({ state: 'anonymous', lookUpFailed: false });
});

test.each([
  { name: 'an error', answer: () => Promise.resolve(new Response('', { status: 503 })) },
  { name: 'no network', answer: () => Promise.reject(new TypeError('Failed to fetch')) },
  { name: 'something else', answer: () => Promise.resolve(Response.json({ id: 7 })) },
])('a look-up that meets $name counts as anonymous, and says so', async ({ answer }) => {
  fetched.mockImplementation(answer);
  expect(await renewSession()).toEqual({ state: 'anonymous', lookUpFailed: true });
});

test('the answer to the latest look-up counts, whichever comes last', async () => {
  const answers: ((answer: Response) => void)[] = [];
  fetched.mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  const former = renewSession();
  resetSession();
  expect(sessionStore.get()).toEqual({ state: 'loading' });
  answers[1]?.(Response.json(user));
  await currentSession();
  answers[0]?.(Response.json({ ...user, firstName: 'Eve' }));
  expect(await former).toMatchObject({ user: { firstName: 'Eve' } });
  expect(sessionStore.get()).toMatchObject({ user: { firstName: 'Ada' } });
});

function hint(isSet: boolean) {
  vi.stubGlobal('document', { cookie: isSet ? `theme=dark; ${SESSION_HINT_COOKIE}=1` : 'theme=dark' });
}
