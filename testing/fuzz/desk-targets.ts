import { jobAction, plainAction, refundAction } from '../../core/desk-actions.ts';
import { orderListRequest } from '../../core/desk-orders.ts';
import { personRequest } from '../../core/desk-people.ts';
import type { Body } from './contracts.ts';
import type { Draft } from './drafts.ts';
import type { Target } from './target.ts';
import { canary, pick, type World } from './world.ts';

const reads = ['me', 'today', 'weeks', 'newsletter', 'orders/events'];
const pages = ['/desk', '/desk/orders', '/desk/people', '/desk/record'];

/** A sign-in is fresh for ten minutes; after that dangerous actions are refused. */
const stale = 403;
/** Generated keys may repeat: edges are favored. */
const keyReused = 422;

/** A call as the desk's own pages make it. */
function call({ url, staff }: World, method: string, path: string, body?: Body): Draft {
  const headers = { cookie: staff.cookieHeader(), origin: url };
  return { method, path: `/api/desk/${path}`, headers, ...(body && { body }) };
}

function orderOf({ cardOrders, paypalOrders }: World, salt: number) {
  return (
    pick(salt % 2 === 0 ? cardOrders : paypalOrders, salt) ?? { orderId: crypto.randomUUID(), amount: 1 }
  );
}

/** What the body asks for, about an order that may exist, and mostly at the wrong moment. */
function actionOn(world: World, salt: number, { key, reason, ...fields }: Body): Body {
  const { paymentId, amount } = { paymentId: undefined, ...orderOf(world, salt) };
  const rowId = String(salt % 500);
  const actions: Body[] = [
    { ...fields, paymentId: paymentId ?? 'pi_unknown', amount: 1 + (salt % amount), left: amount },
    { action: 'note' },
    { action: 'check' },
    { action: 'replay', eventId: rowId },
    { action: 'resend', emailId: rowId },
    { action: 'decide', status: 'paid', seen: 'review' },
    { action: 'keep', paymentId: paymentId ?? 'pi_unknown', seen: 'refunded' },
    { action: 'cancel', seen: 'pending' },
  ];
  return { ...pick(actions, salt), key, reason };
}

export const deskTargets: Target[] = [
  {
    name: 'desk: what is read',
    accepts: [200, 404],
    draft(world, salt) {
      const page = { ...call(world, 'GET', ''), path: pick(pages, salt) ?? '/desk' };
      if (salt % 5 === 0) return page;
      const path = salt % 2 === 0 ? `orders/${orderOf(world, salt >> 1).orderId}` : pick(reads, salt);
      return call(world, 'GET', path ?? 'me');
    },
  },
  {
    name: 'desk: lists',
    contract: orderListRequest,
    accepts: [200],
    draft(world, salt, body) {
      if (salt % 4 === 0) return call(world, 'POST', 'messages/list', { open: salt % 8 === 0 });
      if (salt % 5 === 0) return call(world, 'POST', 'enrollments/list', {});
      if (salt % 11 === 0) return call(world, 'POST', 'record/list', { after: String(salt) });
      const { after: _, ...filters } = body;
      const after = salt % 7 === 0 ? { after: `2099-01-01T00:00:00.000000Z_${crypto.randomUUID()}` } : {};
      const text = salt % 3 === 0 ? { text: canary.name } : {};
      return call(world, 'POST', 'orders/list', { ...filters, ...after, ...text });
    },
  },
  {
    name: 'desk: actions',
    contract: refundAction,
    accepts: [200, stale, 404, 409, keyReused],
    draft: (world, salt, body) =>
      call(world, 'POST', `orders/${orderOf(world, salt).orderId}/actions`, actionOn(world, salt, body)),
  },
  {
    name: 'desk: failed jobs',
    contract: jobAction,
    accepts: [200, stale, 409, keyReused],
    draft: (world, salt, body) => call(world, 'POST', `jobs/${salt % 2_000}/actions`, body),
  },
  {
    name: 'desk: what is dismissed or sent again',
    contract: plainAction,
    accepts: [200, 409, keyReused],
    draft(world, salt, body) {
      const id = salt % 2_000;
      const endings = [`transfers/${id}/dismiss`, `emails/${id}/dismiss`, `emails/${id}/resend`];
      return call(world, 'POST', pick(endings, salt) ?? '', body);
    },
  },
  {
    name: 'desk: a person',
    contract: personRequest,
    accepts: [200, stale, keyReused],
    draft(world, salt, body) {
      // Not one of the people whose rows are counted at the end.
      if (salt % 3 === 0)
        return call(world, 'POST', 'person/erase', { ...body, email: `unknown-${salt}@x.example` });
      return call(world, 'POST', 'person/export', {
        ...body,
        email: `kanarienvogel-${salt % 500}@${canary.mailDomain}`,
      });
    },
  },
];
