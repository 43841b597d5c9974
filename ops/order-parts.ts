import type { OrderStatus } from '../core/orders.ts';
import { isUuid } from '../core/text.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { OrderError } from '../orders/errors.ts';
import type { OpsParts } from './parts.ts';
import { CommandError } from './terminal.ts';

/** @throws CommandError if there is no such order */
export async function requireOrder({ db }: Pick<OpsParts, 'db'>, id: string): Promise<Order> {
  const found = isUuid(id) ? await findOrder(db, id) : undefined;
  if (!found) throw new CommandError(`Order ${id} not found`);
  return found;
}

export function describeOutcome(status: OrderStatus | undefined): string {
  return status ? `the order is ${status}` : 'stored; the next worker applies it';
}

/** What an order does not allow ends the command with its message. @throws always */
export function asRefusal(error: unknown): never {
  throw error instanceof OrderError ? new CommandError(error.message) : error;
}
