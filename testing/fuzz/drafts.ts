import type { Body } from './contracts.ts';

/** A request that is about to be sent; a mutation spoils one part of it. */
export interface Draft {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Body | string;
  /** Headers over the body as it is sent (a webhook's signature). */
  sign?: (body: string) => Record<string, string>;
}

export type Mutation =
  | { kind: 'replace'; field: string; value: unknown }
  | { kind: 'remove'; field: string }
  | { kind: 'double'; field: string }
  | { kind: 'byte'; at: number; byte: number }
  | { kind: 'cut'; at: number }
  | { kind: 'forge'; at: number }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'drop header'; at: number }
  | { kind: 'path'; text: string }
  | { kind: 'query'; text: string }
  | { kind: 'method'; method: string };

export interface Message {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** The request as bytes, with one part of it spoilt. */
export function toMessage(draft: Draft, mutation?: Mutation): Message {
  const { method, path, headers, body, sign } = mutation ? spoil(draft, mutation) : draft;
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const signed = text !== undefined && sign ? sign(text) : {};
  const type: Record<string, string> = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
  const bytes = text === undefined ? undefined : spoilBytes(Buffer.from(text), mutation);
  const all: Record<string, string> = { ...type, ...headers, ...signed };
  if (mutation?.kind === 'header') all[mutation.name] = headerValue(mutation.value);
  if (mutation?.kind === 'drop header') {
    const name = Object.keys(all)[mutation.at % Math.max(1, Object.keys(all).length)];
    if (name) delete all[name];
  }
  // Node.js's client would send some methods' bodies without their length: the next request would begin with them.
  if (bytes) all['content-length'] = String(bytes.length);
  return { method, path, headers: all, body: bytes };
}

function spoil(draft: Draft, mutation: Mutation): Draft {
  const body = typeof draft.body === 'object' ? draft.body : undefined;
  switch (mutation.kind) {
    case 'replace':
      return body ? { ...draft, body: withField(body, mutation.field, mutation.value) } : draft;
    case 'remove':
      return body ? { ...draft, body: withField(body, mutation.field, undefined) } : draft;
    case 'double': {
      if (!body) return draft;
      const again = JSON.stringify({ [mutation.field]: body[mutation.field] ?? 1 }).slice(1, -1);
      const headers = { 'content-type': 'application/json', ...draft.headers };
      return { ...draft, headers, body: `{${again},${JSON.stringify(body).slice(1)}` };
    }
    case 'path':
      return { ...draft, path: replaceLastSegment(draft.path, encode(mutation.text)) };
    case 'query':
      return {
        ...draft,
        path: `${draft.path}${draft.path.includes('?') ? '&' : '?'}${encode(mutation.text)}=1`,
      };
    case 'method':
      return { ...draft, method: mutation.method };
    default:
      return draft;
  }
}

/** An own property, whatever it is called. */
function withField(body: Body, field: string, value: unknown): Body {
  return Object.fromEntries([...Object.entries(body).filter(([name]) => name !== field), [field, value]]);
}

/** What changes after the signing: a forged, broken or cut off body. */
function spoilBytes(bytes: Buffer, mutation: Mutation | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (mutation?.kind === 'cut') return bytes.subarray(0, mutation.at % bytes.length);
  if (mutation?.kind === 'byte') bytes[mutation.at % bytes.length] = mutation.byte;
  if (mutation?.kind === 'forge')
    bytes[mutation.at % bytes.length] = (bytes[mutation.at % bytes.length] ?? 0) ^ 1;
  return bytes;
}

function replaceLastSegment(path: string, segment: string): string {
  const [before = '/'] = path.split('?');
  return `${before.slice(0, before.lastIndexOf('/') + 1)}${segment}`;
}

/** Half of the texts go as they are, as far as an HTTP client lets them. */
function encode(text: string): string {
  const plain = /^[\x21-\x7e]*$/.test(text) && text.length % 2 === 0;
  return (plain ? text : encodeURIComponent(text.toWellFormed())).slice(0, 9_000);
}

/** What Node.js's client takes for a header's value. */
export function headerValue(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 6_000);
}
