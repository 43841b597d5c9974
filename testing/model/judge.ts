import { legalMoves } from '../../core/order-lifecycle.ts';
import type { OrderStatus } from '../../core/orders.ts';
import { readOrderTimeline } from '../../db/order-timeline.ts';
import { findOrder, listOrderHistory, type Order } from '../../db/orders.ts';
import type { Shop } from '../shop.ts';
import type { LedgerPayment } from './ledger.ts';
import { type Model, owed, sum, taken } from './model.ts';

/** Where the shop's order, history, mails and time line differ from what the providers' side asks for. */
export async function findWrongs(shop: Pick<Shop, 'db'>, orderId: string, model: Model): Promise<string[]> {
  const order = await findOrder(shop.db, orderId);
  if (!order) return [`order ${orderId} is gone`];
  const mails: MailRow[] = await shop
    .db('emails')
    .where({ order_id: orderId })
    .select('kind', 'status', 'params');
  return [
    ...wrongMoney(order, model, mails),
    ...wrongMails(order, model, mails),
    ...(await wrongHistory(shop, order)),
    ...(await wrongTimeline(shop, order, mails)),
  ];
}

interface MailRow {
  kind: string;
  status: string;
  params: Record<string, unknown>;
}

const unpaid: OrderStatus[] = ['pending', 'processing', 'failed', 'canceled'];

function wrongMoney(order: Order, model: Model, mails: MailRow[]): string[] {
  const money = taken(model);
  if (money.length === 0) return wrongUnpaid(order, model);
  const settling = settledBy(order, money);
  if (!settling) return [`lost: ${money.map(({ id }) => id)} took money, the order is ${order.status}`];
  const should = owed(model, settling);
  const wrongs = wrongRefunds(model, money, settling, mails);
  if (order.status !== should.status) wrongs.push(`status is ${order.status}, not ${should.status}`);
  if (order.amountRefunded !== should.amountRefunded) {
    wrongs.push(`${order.amountRefunded} cents refunded, not ${should.amountRefunded}`);
  }
  return wrongs;
}

function settledBy({ facts }: Order, money: LedgerPayment[]): LedgerPayment | undefined {
  const [first] = Object.keys(facts.captures);
  return money.find(({ id }) => id === first);
}

/** The settling payment is refunded by people only; every other one by the shop, or handed to people. */
function wrongRefunds(
  { foreignRefunds, price }: Model,
  money: LedgerPayment[],
  settling: LedgerPayment,
  mails: MailRow[],
): string[] {
  return money.flatMap(({ id, refunds, disputes }) => {
    const own = refunds.filter((refund) => !foreignRefunds.has(refund.id));
    if (id === settling.id) return own.length > 0 ? [`wrongly refunded: ${id}, which settled the order`] : [];
    const given = sum(refunds.filter(({ status }) => status === 'succeeded' || status === 'pending'));
    const isHandedOver = mails.some(
      ({ kind, params }) => kind === 'refund_failed_alert' && params.paymentId === id,
    );
    if (given > price) return [`doubled: ${given} cents of ${id} refunded`];
    return given < price && !isHandedOver && disputes.length === 0 ? [`doubled: ${id} was not refunded`] : [];
  });
}

function wrongUnpaid(order: Order, { payments, hasExpired }: Model): string[] {
  const wrongs = unpaid.includes(order.status) ? [] : [`${order.status} without money`];
  if (order.amountRefunded !== 0) wrongs.push(`${order.amountRefunded} cents refunded of nothing`);
  const current = payments.find(({ id }) => id === order.paymentIntentId);
  if (current?.state === 'processing' && order.status !== 'processing') {
    wrongs.push(`${order.status} while ${current.id} is processing`);
  }
  if (order.status === 'processing' && current?.state !== 'processing') {
    wrongs.push(`processing while ${current?.id} is ${current?.state}`);
  }
  const leftOpen = payments.filter(
    ({ id, state, provider }) =>
      provider === 'stripe' && state === 'open' && order.formerPaymentIds.includes(id),
  );
  wrongs.push(...leftOpen.map(({ id }) => `former payment ${id} can still be paid`));
  const mayGoOn = current?.state === 'processing' || current?.state === 'approved';
  if (hasExpired && order.status !== 'canceled' && !mayGoOn) wrongs.push(`${order.status} after it expired`);
  return wrongs;
}

function wrongMails(order: Order, model: Model, mails: MailRow[]): string[] {
  const count = (kind: string) => mails.filter((mail) => mail.kind === kind).length;
  const wanted = taken(model).length > 0 ? 1 : 0;
  const wrongs = ['order_confirmation', 'order_notice'].flatMap((kind) =>
    count(kind) === wanted ? [] : [`${count(kind)} mails ${kind}, not ${wanted}`],
  );
  const unsent = mails.filter(({ kind, status }) => status !== 'sent' && !delayed.has(kind));
  wrongs.push(...unsent.map(({ kind, status }) => `mail ${kind} is ${status}`));
  const settling = settledBy(order, taken(model));
  if (!settling) return wrongs;
  const { refunds, disputes } = settling;
  if (refunds.some(({ status }) => status === 'succeeded') && count('refund_notice') === 0) {
    wrongs.push('the buyer knows of no refund');
  }
  for (const { id, status } of refunds) {
    const isOver = status === 'failed' || status === 'canceled';
    const isReported = mails.some(
      ({ kind, params }) => kind === 'refund_failed_alert' && params.refundId === id,
    );
    if (isOver && !isReported) wrongs.push(`staff know nothing of the ${status} refund ${id}`);
  }
  for (const { id, outcome } of disputes) {
    const states = mails
      .filter(({ kind, params }) => kind === 'dispute_notice' && params.disputeId === id)
      .map(({ params }) => params.state);
    if (!states.includes('opened')) wrongs.push(`staff know nothing of dispute ${id}`);
    if (outcome !== 'open' && !states.includes(outcome))
      wrongs.push(`staff do not know ${id} was ${outcome}`);
  }
  const duplicates = taken(model).length - 1;
  if (count('duplicate_payment_alert') !== duplicates) {
    wrongs.push(`${count('duplicate_payment_alert')} alerts of ${duplicates} duplicate payments`);
  }
  return wrongs;
}

/** These wait for minutes or days, and may have become pointless by then. */
const delayed = new Set(['payment_failed', 'payment_processing', 'dispute_reminder']);

async function wrongHistory({ db }: Pick<Shop, 'db'>, order: Order): Promise<string[]> {
  const history = await listOrderHistory(db, order.id);
  const wrongs = history.flatMap(({ from, to }, index) => {
    const before = history[index - 1]?.to ?? null;
    const isLegal = before === null || legalMoves[before].includes(to);
    return from === before && isLegal ? [] : [`history goes from ${before} to ${to}, written from ${from}`];
  });
  const last = history.at(-1)?.to;
  if (last !== order.status) wrongs.push(`history ends with ${last}, the order is ${order.status}`);
  return wrongs;
}

/** The time line names every move and every mail, and nothing in it waits for an operator. */
async function wrongTimeline({ db }: Pick<Shop, 'db'>, order: Order, mails: MailRow[]): Promise<string[]> {
  const known = await readOrderTimeline(db, order.id);
  const entries = known?.timeline ?? [];
  const moves = (await listOrderHistory(db, order.id)).length;
  const count = (what: string) => entries.filter((entry) => entry.what === what).length;
  const wrongs: string[] = [];
  if (count('move') !== moves) wrongs.push(`time line has ${count('move')} of ${moves} moves`);
  if (count('mail') !== mails.length) wrongs.push(`time line has ${count('mail')} of ${mails.length} mails`);
  const stuck = entries.filter(
    ({ what, text }) => (what === 'job' || what === 'event') && /: dead/.test(text),
  );
  return [...wrongs, ...stuck.map(({ text }) => `dead: ${text}`)];
}
