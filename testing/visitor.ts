import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { listen } from '@querywright/sandbox/listen';
import type { SessionData } from 'express-session';
import { createApp } from '../api/app.ts';
import { closeServer } from '../api/http/close-server.ts';
import type { ApiParts } from '../api/parts.ts';
import { checkAnswers } from './api-contract.ts';
import { type RequestOptions, request } from './request.ts';
import type { Shop } from './shop.ts';

export type PersonId =
  | 'person-pending'
  | 'person-completed'
  | 'person-nameless'
  | 'person-viewer'
  | 'person-operator'
  | 'person-second-operator';

/** A browser without a screen: keeps cookies and does not follow redirects. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly shop: Pick<Shop, 'url'>;

  constructor(shop: Pick<Shop, 'url'>) {
    this.shop = shop;
  }

  /** `address`: a path of the shop, or a complete address. */
  async get(address: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(address, { headers });
  }

  async post(path: string, body: unknown): Promise<Response> {
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async send(address: string, options: RequestOptions): Promise<Response> {
    const headers = new Headers(options.headers);
    headers.set('cookie', this.cookieHeader());
    const answer = await request(new URL(address, this.shop.url), { ...options, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value && !/Expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    return answer;
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The id of this visitor's session. */
  sessionId(): string {
    return (
      decodeURIComponent(this.cookies.get('session') ?? '')
        .slice(2)
        .split('.')[0] ?? ''
    );
  }

  /** Signs in at the provider and stops before the callback. Returns the callback's address. */
  async goThroughSignIn(person: PersonId, login = '/api/login'): Promise<string> {
    let next = new URL(login, this.shop.url);
    let answer = await this.get(next.href);
    // The provider's first answer may be late on a busy machine; the page asks to try again.
    for (let tries = 1; answer.status === 503 && tries < 3; tries++) answer = await this.get(next.href);
    for (let step = 0; step < 10; step++) {
      next = new URL(answer.headers.get('location') ?? '', next);
      if (next.pathname === '/api/callback') return next.href;
      answer = next.pathname.includes('/interaction/')
        ? await this.send(next.href, { method: 'POST', body: new URLSearchParams({ person }) })
        : await this.get(next.href);
    }
    throw new Error(`The sign-in did not reach the callback: ${answer.status} at ${next.pathname}`);
  }

  /** Signs in. Returns the address that the callback redirects to. */
  async signIn(person: PersonId = 'person-pending', login?: string): Promise<string | null> {
    for (let tries = 1; ; tries++) {
      const answer = await this.get(await this.goThroughSignIn(person, login));
      if (answer.status === 303) return answer.headers.get('location');
      // The provider was late, as above.
      if (answer.status !== 503 || tries === 3) throw new Error(`${answer.status}: ${await answer.text()}`);
    }
  }

  async whoAmI(): Promise<{ status: number; user: Record<string, unknown> }> {
    const answer = await this.get('/api/auth/user');
    return { status: answer.status, user: await answer.json() };
  }
}

/** Starts another web server of the same shop. */
export async function startSecondWeb(parts: ApiParts): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(checkAnswers(createApp(parts)));
  const port = await listen(server, 0, 'localhost');
  return { url: `http://localhost:${port}`, close: () => closeServer(server) };
}

/** The visitor's stored session. */
export async function readSession(shop: Shop, visitor: Visitor): Promise<SessionData> {
  const { store } = shop.api.sessions;
  const session = await promisify(store.get.bind(store))(visitor.sessionId());
  if (!session) throw new Error('visitor has no session');
  return session;
}

/** Changes the visitor's stored session. */
export async function editSession(shop: Shop, visitor: Visitor, change: (session: SessionData) => void) {
  const { store } = shop.api.sessions;
  const session = await readSession(shop, visitor);
  change(session);
  await promisify(store.set.bind(store))(visitor.sessionId(), session);
}
