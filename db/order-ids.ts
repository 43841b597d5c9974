import { randomUUID } from 'node:crypto';

/**
 * A new order's id: a UUID of version 7, ms since the epoch and 74 random bits. New orders' rows share pages of every index
 * that starts with the id, however many orders there are (docs/decisions/0025-ids-by-time.md).
 * Source: https://www.rfc-editor.org/rfc/rfc9562#section-5.7
 */
export function newOrderId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // Of a random UUID, all behind the version, variant included.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
