import { randomUUID } from 'node:crypto';
import type { OrderAction } from '../core/desk-actions.ts';
import type { DeskOrder } from '../core/desk-order.ts';
import type { Shop } from './shop.ts';
import { type PersonId, Visitor } from './visitor.ts';

/** A signed-in person who calls the desk as its pages do. */
export class DeskCaller extends Visitor {
  async act(path: string, body: unknown = {}): Promise<Response> {
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.shop.url },
      body: JSON.stringify(body),
    });
  }

  /** The answer's body; fails on anything but 200. */
  async read<T>(path: string): Promise<T> {
    const answer = await this.get(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  show(orderId: string): Promise<DeskOrder> {
    return this.read(`/api/desk/orders/${orderId}`);
  }

  actOn(orderId: string, wanted: object): Promise<Response> {
    return this.act(`/api/desk/orders/${orderId}/actions`, wanted);
  }

  /** Fails on anything but 200. */
  async mustAct(orderId: string, wanted: OrderAction): Promise<void> {
    const answer = await this.actOn(orderId, wanted);
    if (answer.status !== 200) throw new Error(`${wanted.action}: ${answer.status} ${await answer.text()}`);
  }

  /** The request to refund the order's first payment in its current state. */
  async refundOf(orderId: string, amount: number): Promise<Extract<OrderAction, { action: 'refund' }>> {
    const [payment] = (await this.show(orderId)).payments;
    const { id: paymentId, refundable: left } = payment ?? { id: '', refundable: 0 };
    return { action: 'refund', reason: 'Agreed by phone', paymentId, amount, left, key: randomUUID() };
  }
}

/** Two operators, Olive and Marcus, who have just signed in. */
export function freshOperators(shop: Pick<Shop, 'url'>): Promise<[DeskCaller, DeskCaller]> {
  const signIn = (person: PersonId) => atDesk(shop, person, { fresh: true });
  return Promise.all([signIn('person-operator'), signIn('person-second-operator')]);
}

/** Signs in at the desk; `fresh` as after the extra sign-in that dangerous actions require. */
export async function atDesk(
  shop: Pick<Shop, 'url'>,
  person: PersonId = 'person-operator',
  { fresh = false } = {},
): Promise<DeskCaller> {
  const caller = new DeskCaller(shop);
  await caller.signIn(person, `/api/login?returnTo=/desk${fresh ? '&fresh=1' : ''}`);
  return caller;
}

/** The answers to operators who request it concurrently. */
export async function byBoth(operators: DeskCaller[], orderId: string, wanted: object): Promise<number[]> {
  const answers = await Promise.all(
    operators.map((who) => who.actOn(orderId, { ...wanted, key: randomUUID() })),
  );
  return answers.map(({ status }) => status).sort();
}

/** What staff did to the order, oldest first. */
export function actionsOf({ db }: Pick<Shop, 'db'>, orderId: string): Promise<string[]> {
  return db('desk_actions').where({ order_id: orderId }).orderBy('id').pluck('action');
}
