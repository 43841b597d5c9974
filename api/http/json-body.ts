import { BadRequest } from './errors.ts';

/** Deeper than any body we accept, so recursion cannot exhaust the stack. */
const MAX_DEPTH = 32;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The object that a body describes. Refuses what two readers would understand differently: broken UTF-8, a key given
 * twice, keys that could reach a prototype, and more than 32 levels.
 * @throws BadRequest
 */
export function readJson(bytes: Uint8Array): object {
  const written = countMembers(bytes);
  let kept = 0;
  const value = parse(bytes, function revive(this: unknown, key: string, member: unknown) {
    if (Array.isArray(this)) return member;
    kept++;
    if (forbiddenKeys.has(key)) throw unknownKey(key);
    return member;
  });
  if (typeof value !== 'object' || value === null) throw new BadRequest('The body must be a JSON object');
  // The parser keeps only the last of equal keys. The reviver is called for each kept key and for the whole value.
  if (kept - 1 !== written) throw new BadRequest('The body contains a field twice');
  return value;
}

type Reviver = (this: unknown, key: string, member: unknown) => unknown;

function parse(bytes: Uint8Array, reviver: Reviver): unknown {
  try {
    return JSON.parse(utf8.decode(bytes), reviver);
  } catch (error) {
    if (error instanceof BadRequest) throw error;
    throw new BadRequest('The body is not valid JSON');
  }
}

function unknownKey(key: string): BadRequest {
  return new BadRequest('Unknown field', { [key]: 'Unknown field' });
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);

/** Counts the members of valid JSON, duplicates included, by the colons outside of strings. */
function countMembers(bytes: Uint8Array): number {
  let members = 0;
  let level = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) inString = !inString;
    else if (inString) {
      if (byte === BACKSLASH) at++;
    } else if (byte === COLON) members++;
    else if (opening.has(byte)) level++;
    else if (closing.has(byte)) level--;
    if (level > MAX_DEPTH) throw new BadRequest(`The body is nested deeper than ${MAX_DEPTH} levels`);
  }
  return members;
}
