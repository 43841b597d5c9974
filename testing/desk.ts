import type { Shop } from './shop.ts';
import { type PersonId, Visitor } from './visitor.ts';

/** Someone signed in who calls the desk as its pages do. */
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
}

/** Signs in for the desk; `fresh` as after a dangerous action has asked for it. */
export async function atDesk(
  shop: Pick<Shop, 'url'>,
  person: PersonId = 'person-operator',
  { fresh = false } = {},
): Promise<DeskCaller> {
  const caller = new DeskCaller(shop);
  await caller.signIn(person, `/api/login?returnTo=/desk${fresh ? '&fresh=1' : ''}`);
  return caller;
}
