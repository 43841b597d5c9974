import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_COUNTED } from '../../core/capped-count.ts';
import type { TodayView } from '../../core/desk.ts';
import type { EnrollmentPage, MessagePage, NewsletterFigures } from '../../core/desk-people.ts';
import { placeOrder, post } from '../../testing/buyer.ts';
import { atDesk, type DeskCaller, freshOperators } from '../../testing/desk.ts';
import { withShop } from '../../testing/shop.ts';
import { Visitor } from '../../testing/visitor.ts';

const shop = await withShop();
let olive: DeskCaller;
let marcus: DeskCaller;
let vera: DeskCaller;
beforeAll(async () => {
  [olive, marcus] = await freshOperators(shop);
  vera = await atDesk(shop, 'person-viewer');
});

describe('a message', () => {
  test('stays open until it is marked as answered, once and on the record', async () => {
    await post(shop, '/api/contact', { name: 'Eve', email: 'eve@example.com', message: 'How long?' });
    const { messages } = await list<MessagePage>('messages', { open: true });
    expect(messages).toMatchObject([{ name: 'Eve', email: 'eve@example.com', answeredAt: null }]);
    const path = `/api/desk/messages/${messages[0]?.id}/answered`;
    const byMail = () => ({ key: randomUUID(), reason: 'Answered by mail' });
    expect((await vera.act(path, byMail())).status).toBe(403);
    expect((await olive.act(path, { ...byMail(), reason: ' ' })).status).toBe(400);
    expect(await messagesToday()).toMatchObject([{ concern: { count: 1 } }]);

    const [first, other] = [byMail(), byMail()];
    const answers = await Promise.all([olive.act(path, first), marcus.act(path, other)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [record] = await actionsOf('answer message');
    const isOlives = record?.staff === 'olive.park@querywright.example';
    const repeated = isOlives ? await olive.act(path, first) : await marcus.act(path, other);
    expect(repeated.status).toBe(200);
    expect((await list<MessagePage>('messages', { open: true })).messages).toEqual([]);
    const [answered] = (await list<MessagePage>('messages', { open: false })).messages;
    expect(answered?.answeredAt).not.toBeNull();
    expect(await messagesToday()).toEqual([]);
    expect(await actionsOf('answer message')).toMatchObject([{ reason: 'Answered by mail' }]);
  });

  test.each([true, false])(
    'among very many is listed once (open: %s), even with equal timestamps',
    async (open) => {
      await shop.db('contact_messages').insert(
        Array.from({ length: 70 }, (_, index) => ({
          ...{ name: 'Ada', email: 'ada@example.com', message: String(index) },
          created_at: `2026-01-01T00:00:00.00000${index % 2}Z`,
        })),
      );
      const seen: string[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page = await list<MessagePage>('messages', { open, ...(after ? { after } : {}) });
        seen.push(...page.messages.map(({ id }) => id));
        after = page.next;
      }
      const stored = shop.db('contact_messages');
      if (open) stored.whereNull('answered_at');
      expect(seen.toSorted()).toEqual((await stored.pluck('id')).toSorted());
      expect(new Set(seen).size).toBe(seen.length);
    },
  );
});

test('enrollments are listed with what was answered', async () => {
  const client = new Visitor(shop);
  await client.signIn('person-pending');
  await client.post('/api/enrollment', {
    ...{ companyName: 'Byron & Daughter', role: 'Head of Engineering', phone: '+1 415 555 0142' },
    ...{ primaryUseCase: 'Tables of great length', teamSize: '11-50', complianceNeeds: '' },
  });
  const { enrollments } = await list<EnrollmentPage>('enrollments', {});
  expect(enrollments[0]).toMatchObject({ companyName: 'Byron & Daughter', email: 'ada.lovett@example.com' });
});

test('counts the newsletter’s subscribers and exports them with their links', async () => {
  const rows = (['confirmed', 'confirmed', 'pending', 'unsubscribed'] as const).map((status, index) => ({
    ...{ email: `reader${index}@example.com`, status },
    confirmed_at: status === 'confirmed' ? new Date() : null,
  }));
  await shop.db('newsletter_subscriptions').insert(rows);
  expect(await vera.read<NewsletterFigures>('/api/desk/newsletter')).toEqual({
    ...{ confirmed: 2, pending: 1, unsubscribed: 1 },
  });
  const wanted = { key: randomUUID(), reason: 'The autumn issue' };
  const file = await (await olive.act('/api/desk/newsletter/export', wanted)).text();
  expect(file.trimEnd().split('\r\n')).toHaveLength(3);
  const [, link = ''] = /"(http[^"]+)"\r\n$/.exec(file) ?? [];
  const token = new URL(link).searchParams.get('token');
  expect((await post(shop, '/api/newsletter/unsubscribe', { token })).status).toBe(200);
  expect(await actionsOf('export newsletter')).toMatchObject([{ reason: 'The autumn issue' }]);
});

describe('what is stored about a person', () => {
  const asked = (email: string) => ({ email, key: randomUUID(), reason: 'Their letter of today' });

  test('is exported and erased on request; the record does not name the person', async () => {
    const email = 'subject@example.com';
    await placeOrder(shop, { customerEmail: email });
    await post(shop, '/api/contact', { name: 'Subject', email, message: 'Who knows me?' });
    const stored = await (await olive.act('/api/desk/person/export', asked(email))).json();
    expect([stored.orders.length, stored.contactMessages.length]).toEqual([1, 1]);

    const erased = await (await olive.act('/api/desk/person/erase', asked(email))).json();

    expect(erased).toMatchObject({ contactMessages: 1, kept: [{ status: 'pending' }] });
    const [record] = await actionsOf('erase person');
    expect(record).toMatchObject({ reason: 'Their letter of today', details: { kept: 1 } });
    expect(JSON.stringify(record)).not.toContain('subject@');
  });

  test.each(['export', 'erase'])('is not given away or erased without a record (%s)', async (what) => {
    const request = asked('first@example.com');
    const path = `/api/desk/person/${what}`;
    expect((await olive.act(path, request)).status).toBe(200);
    const again = await olive.act(path, { ...request, email: 'second@example.com' });
    expect([again.status, (await again.json()).code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('ends the sessions of someone who is erased', async () => {
    const client = new Visitor(shop);
    await client.signIn('person-nameless');
    const email = 'ops-team-without-a-name@customer.example.com';
    expect((await olive.act('/api/desk/person/erase', asked(email))).status).toBe(200);
    expect((await client.whoAmI()).status).toBe(401);
  });

  test.each(['export', 'erase'])('is refused for the %s without a fresh sign-in', async (what) => {
    const stale = await atDesk(shop);
    const answer = await stale.act(`/api/desk/person/${what}`, asked('eve@example.com'));
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'fresh_sign_in_required']);
    expect((await vera.act(`/api/desk/person/${what}`, asked('eve@example.com'))).status).toBe(403);
  });
});

test('messages and subscribers are counted up to ten thousand', async () => {
  const first = '2020-01-01T00:00:00.000Z';
  await shop.db.raw(
    `insert into contact_messages (name, email, message, created_at)
     select 'Ada', 'ada@example.com', 'Hello', ?::timestamptz + n * interval '1 s' from generate_series(0, ?::int) as n`,
    [first, MAX_COUNTED],
  );
  await shop.db.raw(
    `insert into newsletter_subscriptions (email, status) select n || status, status
     from generate_series(0, ?::int) as n, unnest(array['confirmed', 'pending', 'unsubscribed']) as status`,
    [MAX_COUNTED],
  );
  expect(await messagesToday()).toMatchObject([
    { concern: { count: MAX_COUNTED, since: Date.parse(first) }, items: [] },
  ]);
  expect(await vera.read('/api/desk/newsletter')).toEqual({
    ...{ confirmed: MAX_COUNTED, pending: MAX_COUNTED, unsubscribed: MAX_COUNTED },
  });
});

async function messagesToday(): Promise<TodayView['concerns']> {
  const { concerns } = await vera.read<TodayView>('/api/desk/today');
  return concerns.filter(({ concern }) => concern.topic === 'messages_unanswered');
}

async function list<T>(what: string, request: object): Promise<T> {
  const answer = await vera.act(`/api/desk/${what}/list`, request);
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

async function actionsOf(action: string) {
  return shop.db('desk_actions').where({ action }).select('reason', 'details', 'subject', 'staff');
}
