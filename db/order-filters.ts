import type { OrderFilters } from '../core/desk-orders.ts';
import type { Database } from './database.ts';
import { findService } from './services.ts';

/** A condition on rows of `orders`; `true` without any filter. */
export interface OrderCondition {
  sql: string;
  bindings: Record<string, string | number>;
}

/** The orders that pass the filters. */
export async function conditionOf(
  db: Database,
  { service, ...filters }: OrderFilters & { amount?: number | undefined },
): Promise<OrderCondition> {
  // By id: the planner has statistics for each.
  const wantedService = service && ((await findService(db, service))?.id ?? NO_SERVICE);
  const wanted = Object.entries({ ...filters, service: wantedService }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    sql: wanted.map(([name]) => CONDITIONS[name as keyof typeof CONDITIONS]).join(' and ') || 'true',
    bindings: Object.fromEntries(wanted.map(([name, value]) => [`only_${name}`, value ?? ''])),
  };
}

const NO_SERVICE = '00000000-0000-0000-0000-000000000000';

const CONDITIONS = {
  status: 'orders.status = :only_status',
  method: 'orders.payment_method = :only_method',
  service: 'orders.service_id = cast(:only_service as uuid)',
  amount: 'orders.amount = :only_amount',
  from: `orders.created_at >= ${startOf('only_from')}`,
  to: `orders.created_at < ${endOf('only_to')}`,
} satisfies Record<keyof OrderFilters | 'amount', string>;

/** The start of the day (UTC) in this binding. */
export function startOf(day: string): string {
  return `cast(:${day} as date) at time zone 'UTC'`;
}

/** The end of the day (UTC) in this binding, exclusive. */
export function endOf(day: string): string {
  return `(cast(:${day} as date) + 1) at time zone 'UTC'`;
}
