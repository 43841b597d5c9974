import PostalMime from 'postal-mime';
import { newId } from '../ids.ts';
import type { Persistent } from '../state-file.ts';

/** An e-mail of `GET /inbox/messages`; `to` is the envelope, header names are lower-case. */
export interface InboxMessage {
  id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  receivedAt: string;
}

interface RawMail {
  id: string;
  from: string;
  to: string[];
  receivedAt: string;
  raw: string;
}

const MAX_MAILS = 20_000;
const MAX_MAILS_SAVED = 1_000;

/** The mails received, newest first. Parsed on demand, so that receiving is fast. */
export class Inbox implements Persistent {
  #mails: RawMail[] = [];
  readonly #parsed = new Map<string, InboxMessage>();
  readonly #touch: () => void;

  constructor(touch: () => void) {
    this.#touch = touch;
  }

  get size(): number {
    return this.#mails.length;
  }

  /** `raw` has one character per byte. */
  add(from: string, to: string[], raw: string): void {
    this.#mails.push({ id: newId('mail'), from, to, receivedAt: new Date().toISOString(), raw });
    if (this.#mails.length > MAX_MAILS * 1.1) this.#mails = this.#mails.slice(-MAX_MAILS);
    this.#touch();
  }

  async list(to?: string, limit = Number.POSITIVE_INFINITY): Promise<InboxMessage[]> {
    const wanted = to?.toLowerCase();
    const matching = this.#mails.filter(
      (m) => !wanted || m.to.some((address) => address.toLowerCase() === wanted),
    );
    return Promise.all(
      matching
        .reverse()
        .slice(0, limit)
        .map((mail) => this.#parse(mail)),
    );
  }

  async find(id: string): Promise<InboxMessage | undefined> {
    const mail = this.#mails.find((candidate) => candidate.id === id);
    return mail && this.#parse(mail);
  }

  clear(): void {
    this.#mails = [];
    this.#parsed.clear();
    this.#touch();
  }

  snapshot(): RawMail[] {
    return this.#mails.slice(-MAX_MAILS_SAVED);
  }

  restore(saved: RawMail[]): void {
    this.#mails = saved;
  }

  async #parse(mail: RawMail): Promise<InboxMessage> {
    const known = this.#parsed.get(mail.id);
    if (known) return known;
    const parsed = await PostalMime.parse(Buffer.from(mail.raw, 'latin1'));
    const headers: Record<string, string> = {};
    for (const { key, value } of parsed.headers) {
      headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
    }
    const message: InboxMessage = {
      id: mail.id,
      from: parsed.from?.address ?? mail.from,
      to: mail.to,
      subject: parsed.subject ?? '',
      text: parsed.text ?? '',
      html: parsed.html ?? '',
      headers,
      receivedAt: mail.receivedAt,
    };
    if (this.#mails.includes(mail)) this.#parsed.set(mail.id, message);
    return message;
  }
}
