import type { ServiceSlug } from '../core/services.ts';
import { inBatches, perDatabase } from './batches.ts';
import type { Database } from './database.ts';
import { type Order, orderColumns } from './orders.ts';

export interface OrderDetails extends Order {
  serviceName: string;
  serviceSlug: ServiceSlug;
}

export function findOrderDetails(db: Database, id: string): Promise<OrderDetails | undefined> {
  return findDetails(db)(id);
}

const findDetails = perDatabase((db) =>
  inBatches<string, OrderDetails | undefined>(async (ids) => {
    const ofService = (column: string) =>
      db.raw('(select ?? from services where services.id = service_id)', column);
    const rows: OrderDetails[] = await db('orders')
      .select(orderColumns, { serviceName: ofService('name'), serviceSlug: ofService('slug') })
      .whereRaw('id = any(?)', [ids]);
    return ids.map((id) => rows.find((row) => row.id === id.toLowerCase()));
  }),
);
