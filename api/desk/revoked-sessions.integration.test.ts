import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Request } from 'express';
import { afterEach, expect, test, vi } from 'vitest';
import { revokeSessions } from '../../infra/user-sessions.ts';
import { atDesk, type DeskCaller } from '../../testing/desk.ts';
import { withShop } from '../../testing/shop.ts';
import { editSession, readSession } from '../../testing/visitor.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop();
const STREAM_ENDS_MS = 5 * 60_000;

afterEach(() => void vi.restoreAllMocks());

test.each(['*/*', 'text/event-stream', 'text/event-stream, */*'])(
  'a stream opened with Accept: %s leaves a session that was revoked meanwhile ended',
  async (accept) => {
    const olive = await idleForMinutes(2);
    const endings = captureTimers(STREAM_ENDS_MS);
    const stream = await openStream(olive, accept);
    expect(stream.status).toBe(200);

    await revoke(olive);
    expect(endings).toHaveLength(1);
    for (const end of endings) end();
    await stream.text();

    await expectEnded(olive);
  },
);

test('an export that ends after its session was revoked leaves it ended', async () => {
  const olive = await idleForMinutes(2);
  const held = await shop.db.transaction();
  await held.raw('lock table desk_actions in exclusive mode');
  const file = olive.act('/api/desk/orders/export', { key: randomUUID(), reason: 'Books', filters: {} });
  await waitFor('the export waits', async () => {
    const { rows } = await shop.db.raw(`select 1 from pg_locks where not granted`);
    return rows.length > 0;
  });

  await revoke(olive);
  await held.rollback();
  await (await file).text();

  await expectEnded(olive);
});

test.each(['set', 'touch'] as const)('%s of a session that was read creates none', async (write) => {
  const olive = await atDesk(shop);
  const { store } = shop.api.sessions;
  const request = { sessionID: olive.sessionId(), sessionStore: store } as Request;
  const read = store.createSession(request, await readSession(shop, olive));
  await revoke(olive);

  await promisify((store[write] as typeof store.set).bind(store))(olive.sessionId(), read);

  await expectEnded(olive);
});

test('staff’s activity is recorded before their call is answered', async () => {
  const olive = await idleForMinutes(2);
  const before = (await readSession(shop, olive)).staff.seenAt;
  expect((await olive.get('/api/desk/me')).status).toBe(200);
  const seenAt = (await readSession(shop, olive)).staff.seenAt;
  expect(seenAt).toBeGreaterThan(before);

  await editSession(shop, olive, ({ staff }) => {
    staff.seenAt = before;
  });
  const endings = captureTimers(STREAM_ENDS_MS);
  const stream = await openStream(olive, '*/*');
  for (const end of endings) end();
  await stream.text();
  expect((await readSession(shop, olive)).staff.seenAt, 'a stream is silent').toBe(before);
});

async function idleForMinutes(minutes: number): Promise<DeskCaller> {
  const olive = await atDesk(shop, 'person-operator', { fresh: true });
  await editSession(shop, olive, ({ staff }) => {
    staff.seenAt -= minutes * 60_000;
  });
  return olive;
}

/** A visitor's `get` would wait for the end. */
function openStream(caller: DeskCaller, accept: string): Promise<Response> {
  const headers = { accept, cookie: caller.cookieHeader() };
  return fetch(`${shop.url}/api/desk/orders/events`, { headers });
}

async function revoke(caller: DeskCaller): Promise<void> {
  const { userId } = await readSession(shop, caller);
  expect(await revokeSessions({ ...shop.config, db: shop.db }, userId)).toBeGreaterThan(0);
}

async function expectEnded(caller: DeskCaller): Promise<void> {
  const { store } = shop.api.sessions;
  expect(await promisify(store.get.bind(store))(caller.sessionId())).toBeFalsy();
  expect((await caller.get('/api/desk/me')).status).toBe(404);
  expect((await caller.whoAmI()).status).toBe(401);
}

/** Collects what is to run somewhat earlier than `ms` from now; the rate limits clean up after exactly as long. */
function captureTimers(ms: number): (() => void)[] {
  const captured: (() => void)[] = [];
  const start = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, after = 0, ...rest: []) => {
    if (after >= ms * 0.9 && after < ms) captured.push(run);
    return start(run, after, ...rest);
  }) as typeof setTimeout);
  return captured;
}
