import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type OrderPage, orderChange, type SalesWeek } from '../../core/desk-orders.ts';
import { PAGE_SIZE } from '../../core/list-page.ts';
import { auditOrder, pay, placeOrder, untilStatus } from '../../testing/buyer.ts';
import { atDesk, type DeskCaller } from '../../testing/desk.ts';
import { withShop } from '../../testing/shop.ts';
import { editSession } from '../../testing/visitor.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop({ worker: true });
let olive: DeskCaller;
let vera: DeskCaller;
beforeAll(async () => {
  olive = await atDesk(shop);
  vera = await atDesk(shop, 'person-viewer');
});

describe('the list', () => {
  test('is paged without losing or repeating an order, also with equal timestamps', async () => {
    await fill(120);
    const stored = await shop.db('orders').orderByRaw('created_at desc, id desc').pluck('id');
    expect(await listAll({})).toEqual(stored);
  });

  test.each(['ADA@example.com', 'ada love', '$2,999'])(
    'a search for %s is paged like the list',
    async (text) => {
      const stored = await shop.db('orders').orderByRaw('created_at desc, id desc').pluck('id');
      expect(stored.length).toBeGreaterThan(100);
      expect(await listAll({ text })).toEqual(stored);
    },
  );

  test('is filtered by state, service, method and day', async () => {
    const { orderId } = await placeOrder(shop, { serviceId: 'design', amount: 499_900 });
    await shop.db('orders').where({ id: orderId }).update({ created_at: '2020-02-29T23:59:59.9Z' });
    const day = { from: '2020-02-29', to: '2020-02-29' };
    const match = { status: 'pending', service: 'design', method: 'stripe', ...day };
    expect((await list(match)).orders.map(({ id }) => id)).toEqual([orderId]);
    for (const other of [
      { status: 'paid' },
      { service: 'audit' },
      { method: 'paypal' },
      { from: '2020-03-01', to: '2020-03-01' },
    ]) {
      expect((await list({ ...match, ...other })).orders).toEqual([]);
    }
  });

  test('is searched by e-mail, name, order, payment and amount', async () => {
    const customer = { customerName: 'Zoë Quine', customerEmail: 'zoe@example.com' };
    const { orderId, paymentIntentId } = await placeOrder(shop, customer);
    await shop.db('orders').where({ id: orderId }).update({ amount: 123_456 });
    for (const text of ['ZOE@example.com', 'quin zo', orderId, paymentIntentId, '$1,234.56']) {
      const { orders } = await list({ text });
      expect(
        orders.map(({ id }) => id),
        text,
      ).toEqual([orderId]);
    }
    expect((await list({ text: 'unknown@example.com' })).orders).toEqual([]);
  });

  test('is searched within the filters', async () => {
    const customer = { customerName: 'Mae Jemison', customerEmail: 'mae@example.com' };
    const { orderId, paymentIntentId } = await placeOrder(shop, customer);
    await shop.db('orders').where({ id: orderId }).update({ created_at: '2020-02-29T23:59:59.9Z' });
    await placeOrder(shop, { ...customer, serviceId: 'design', amount: 499_900 });
    const day = { from: '2020-02-29', to: '2020-02-29' };
    for (const text of ['mae@example.com', 'jemison', orderId, paymentIntentId, '$2,999']) {
      const match = { text, status: 'pending', service: 'audit', method: 'stripe', ...day };
      expect(
        (await list(match)).orders.map(({ id }) => id),
        text,
      ).toEqual([orderId]);
      for (const other of [
        { status: 'paid' },
        { service: 'migration' },
        { method: 'paypal' },
        { to: '2020-02-28', from: '2020-01-01' },
      ])
        expect((await list({ ...match, ...other })).orders, text).toEqual([]);
    }
    expect((await list({ text: 'mae@example.com' })).orders).toHaveLength(2);
  });
});

test('a new order and its moves are streamed; a rush only asks the page to read the list again', async () => {
  const answer = await fetch(`${shop.url}/api/desk/orders/events`, {
    headers: { accept: 'text/event-stream', cookie: vera.cookieHeader() },
  });
  const seen = follow(answer);
  await waitFor('orders are announced from here on', async () => seen[0] === null);
  const order = await placeOrder(shop);
  const statuses = () => seen.filter((row) => row?.id === order.orderId).map((row) => row?.status);
  await waitFor('it is announced', async () => statuses().includes('pending'));
  await pay(shop, order);
  await waitFor('it is announced as paid', async () => statuses().at(-1) === 'paid');

  expect(seen.slice(1)).not.toContain(null);
  await fill(60, () => new Date().toISOString());
  await waitFor('the rush is announced', async () => seen.slice(1).includes(null));
  expect(seen.length).toBeLessThan(10);
  const after = await placeOrder(shop);
  await waitFor('the next order is announced', async () => seen.some((row) => row?.id === after.orderId));
  await answer.body?.cancel().catch(() => {});
});

test('the stream ends with the session', async () => {
  const marcus = await atDesk(shop, 'person-second-operator');
  await editSession(shop, marcus, (session) => {
    session.signedInAt -= 8 * 3_600_000 - 3_000;
  });
  const headers = { accept: 'text/event-stream', cookie: marcus.cookieHeader() };
  const statuses: number[] = [];
  while (statuses.at(-1) !== 401) {
    const answer = await fetch(`${shop.url}/api/desk/orders/events`, { headers });
    statuses.push(answer.status);
    await answer.text();
  }
  expect(statuses[0]).toBe(200);
});

describe('the export', () => {
  test('contains every order that matches the filters, is safe in a spreadsheet, and is recorded', async () => {
    const { orderId } = await placeOrder(shop, { customerName: '=cmd()' });
    const wanted = { key: randomUUID(), reason: 'For the accountant', filters: { status: 'pending' } };
    const refused = await olive.act('/api/desk/orders/export', wanted);
    expect([refused.status, (await refused.json()).code]).toEqual([403, 'fresh_sign_in_required']);
    const fresh = await signInAgain();
    const answer = await fresh.act('/api/desk/orders/export', wanted);
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const lines = (await answer.text()).trimEnd().split('\r\n');
    const pending = await shop.db('orders').where({ status: 'pending' }).pluck('id');
    expect(lines).toHaveLength(pending.length + 1);
    expect(lines.find((line) => line.includes(orderId))).toContain(`"'=cmd()"`);
    expect(await shop.db('desk_actions').where({ action: 'export orders' }).first()).toMatchObject({
      staff: 'olive.park@querywright.example',
      reason: 'For the accountant',
      details: { status: 'pending' },
    });
  });

  test('opens in Excel as UTF-8, and has every order of several reads once', async () => {
    await fill(2_100, (index) => new Date(Date.UTC(2025, 0, 1) + index * 1000).toISOString());
    const filters = { from: '2025-01-01', to: '2025-01-01' };
    const wanted = { key: randomUUID(), reason: 'For the accountant', filters };
    const fresh = await signInAgain();
    const file = Buffer.from(await (await fresh.act('/api/desk/orders/export', wanted)).arrayBuffer());
    expect(file.subarray(0, 5).toString('hex')).toBe(`efbbbf${Buffer.from('"i').toString('hex')}`);
    const ids = file
      .toString()
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.slice(1, 37));
    expect([ids.length, new Set(ids).size]).toEqual([2_100, 2_100]);
  });

  test('is refused to viewers', async () => {
    expect((await vera.act('/api/desk/orders/export')).status).toBe(403);
  });

  test.each([
    ['orders', { filters: {} }],
    ['newsletter', {}],
  ])('of the %s needs a reason, and each file has its own record', async (what, body) => {
    const path = `/api/desk/${what}/export`;
    const wanted = { ...body, key: randomUUID(), reason: 'For the accountant' };
    const fresh = await signInAgain();
    expect((await fresh.act(path, { ...wanted, reason: ' ' })).status).toBe(400);
    expect((await fresh.act(path, wanted)).headers.get('content-disposition')).toContain('attachment');
    const again = await fresh.act(path, wanted);
    expect([again.status, (await again.json()).code]).toEqual([422, 'idempotency_key_reused']);
    expect(again.headers.get('content-type')).toContain('application/json');
    expect(again.headers.get('content-disposition')).toBeNull();
    expect(await shop.db('desk_actions').where({ action: `export ${what}`, key: wanted.key })).toHaveLength(
      1,
    );
  });
});

function signInAgain(): Promise<DeskCaller> {
  return atDesk(shop, 'person-operator', { fresh: true });
}

test('sums revenue by week, minus refunds', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  const before = await weeks();
  expect(before).toHaveLength(12);
  await shop.db('orders').where({ id: order.orderId }).update({ amount_refunded: 99_900 });
  const [last, now] = [before.at(-1), (await weeks()).at(-1)];
  expect(now).toEqual({ ...last, revenue: (last?.revenue ?? 0) - 99_900 });
  expect(new Date(now?.week ?? '').getUTCDay()).toBe(1);
});

test('records of the desk cannot be changed', async () => {
  await expect(shop.db('desk_actions').update({ staff: 'someone else' })).rejects.toThrow('append-only');
  await expect(shop.db('desk_actions').delete()).rejects.toThrow('append-only');
  await expect(shop.db.raw('truncate desk_actions')).rejects.toThrow('append-only');
});

async function list(request: object): Promise<OrderPage> {
  const answer = await vera.act('/api/desk/orders/list', request);
  expect(answer.status).toBe(200);
  return (await answer.json()) as OrderPage;
}

/** The orders of all pages. */
async function listAll(request: object): Promise<string[]> {
  const seen: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await list({ ...request, ...(after ? { after } : {}) });
    expect(page.orders.length).toBeLessThanOrEqual(PAGE_SIZE);
    seen.push(...page.orders.map(({ id }) => id));
    after = page.next;
  }
  return seen;
}

async function weeks(): Promise<SalesWeek[]> {
  return (await vera.read<{ weeks: SalesWeek[] }>('/api/desk/weeks')).weeks;
}

/** By default orders of two instants, a microsecond apart. */
async function fill(
  count: number,
  createdAt = (index: number) => `2026-01-01T00:00:00.00000${index % 2}Z`,
): Promise<void> {
  const { id: service_id } = await shop.db('services').where({ slug: 'audit' }).first('id');
  await shop.db('orders').insert(
    Array.from({ length: count }, (_, index) => ({
      service_id,
      customer_name: 'Ada Lovelace',
      customer_email: 'ada@example.com',
      payment_method: 'paypal',
      amount: auditOrder.amount,
      created_at: createdAt(index),
    })),
  );
}

/** The rows of the stream so far. */
function follow(answer: Response) {
  const rows: ReturnType<typeof orderChange.parse>[] = [];
  void (async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, data] = /^data: (.*)$/m.exec(event) ?? [];
        if (data) rows.push(orderChange.parse(JSON.parse(data)));
      }
    }
  })().catch(() => {});
  return rows;
}
