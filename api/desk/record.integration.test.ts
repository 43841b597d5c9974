import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RecordPage } from '../../core/desk-record.ts';
import { placeOrder } from '../../testing/buyer.ts';
import { atDesk, type DeskCaller, freshOperators } from '../../testing/desk.ts';
import { withShop } from '../../testing/shop.ts';

const shop = await withShop();

test('actions are listed with person and reason, newest first, for viewers too', async () => {
  const [olive, marcus] = await freshOperators(shop);
  const vera = await atDesk(shop, 'person-viewer');
  const { orderId } = await placeOrder(shop);
  await olive.actOn(orderId, { action: 'note', key: randomUUID(), reason: 'Asked for a call' });
  const asked = { key: randomUUID(), reason: 'Her letter of today', email: 'ada@example.com' };
  await marcus.act('/api/desk/person/export', asked);

  const { actions, next } = await readRecord(vera);

  expect(next).toBeNull();
  expect(actions).toMatchObject([
    {
      ...{ staff: 'marcus.webb@querywright.example', text: 'export person', orderId: null },
      reason: 'Her letter of today',
    },
    { staff: 'olive.park@querywright.example', text: 'note', orderId, reason: 'Asked for a call' },
  ]);
  expect(JSON.stringify(actions)).not.toContain('ada@');
});

test('an export is recorded with its filters', async () => {
  const [olive] = await freshOperators(shop);
  const filters = { status: 'paid', method: 'paypal' };
  await olive.act('/api/desk/orders/export', { key: randomUUID(), reason: 'The auditor', filters });
  await olive.act('/api/desk/orders/export', { key: randomUUID(), reason: 'All of them', filters: {} });
  const { actions } = await readRecord(olive);
  expect(actions.slice(0, 2).map(({ text }) => text)).toEqual([
    'export orders',
    'export orders with method paypal, status paid',
  ]);
});

test('a long record is read page by page, each action once', async () => {
  const vera = await atDesk(shop, 'person-viewer');
  await shop.db.raw(
    `insert into desk_actions (user_id, staff, action, reason, key, at)
     select gen_random_uuid(), 'olive', 'note', n::text, gen_random_uuid(), '2026-01-01' from generate_series(1, 120) as n`,
  );
  const seen: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await readRecord(vera, after ? { after } : {});
    seen.push(...page.actions.map(({ id }) => id));
    after = page.next;
  }
  const stored = await shop.db('desk_actions').orderBy('id', 'desc').pluck('id');
  expect(stored.length).toBeGreaterThanOrEqual(120);
  expect(seen).toEqual(stored);
});

test.each([{ after: 'yesterday' }, { after: '9'.repeat(30) }, { staff: 'olive' }])(
  '%j is refused',
  async (request) => {
    const vera = await atDesk(shop, 'person-viewer');
    expect((await vera.act('/api/desk/record/list', request)).status).toBe(400);
  },
);

async function readRecord(caller: DeskCaller, request: object = {}): Promise<RecordPage> {
  const answer = await caller.act('/api/desk/record/list', request);
  expect(answer.status).toBe(200);
  return (await answer.json()) as RecordPage;
}
