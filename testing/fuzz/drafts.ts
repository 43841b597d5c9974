import type { Body } from './contracts.ts';

/** A request to be sent; a mutation corrupts one part of it. */
export interface Draft {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Body | string;
  /** Headers computed from the body, such as a webhook's signature. */
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

/** The request as bytes, with one part corrupted. */
export function toMessage(draft: Draft, mutation?: Mutation): Message {
  const { method, path, headers, body, sign } = mutation ? corrupt(draft, mutation) : draft;
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const signed = text !== undefined && sign ? sign(text) : {};
  const type: Record<string, string> = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
  const bytes = text === undefined ? undefined : corruptBytes(Buffer.from(text), mutation);
  const all: Record<string, string> = { ...type, ...headers, ...signed };
  if (mutation?.kind === 'header') all[mutation.name] = headerValue(mutation.value);
  if (mutation?.kind === 'drop header') {
    const name = Object.keys(all)[mutation.at % Math.max(1, Object.keys(all).length)];
    if (name) delete all[name];
  }
  // Node.js omits the length of some methods' bodies, which would then start the next request.
  if (bytes) all['content-length'] = String(bytes.length);
  return { method, path, headers: all, body: bytes };
}

function corrupt(draft: Draft, mutation: Mutation): Draft {
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

/** Sets an own property, even one named __proto__. */
function withField(body: Body, field: string, value: unknown): Body {
  return Object.fromEntries([...Object.entries(body).filter(([name]) => name !== field), [field, value]]);
}

/** Changes the body after it was signed. */
function corruptBytes(bytes: Buffer, mutation: Mutation | undefined): Buffer {
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

/** Leaves half of the printable texts unencoded. */
function encode(text: string): string {
  const plain = /^[\x21-\x7e]*$/.test(text) && text.length % 2 === 0;
  return (plain ? text : encodeURIComponent(text.toWellFormed())).slice(0, 9_000);
}

/** Replaces the characters that Node.js refuses in a header value. */
function headerValue(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 6_000);
}
