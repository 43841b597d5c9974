import type { ServiceSlug } from '../core/services.ts';
import { selectBatch } from './batch-sql.ts';
import { inBatches, perOwner } from './batches.ts';
import type { Database } from './database.ts';
import { ORDER_COLUMNS, type Order } from './orders.ts';

export interface OrderDetails extends Order {
  serviceName: string;
  serviceSlug: ServiceSlug;
}

export function findOrderDetails(db: Database, id: string): Promise<OrderDetails | undefined> {
  return findDetails(db)(id);
}

const findDetails = perOwner((db: Database) =>
  inBatches<string, OrderDetails | undefined>(async (ids) => {
    const rows = await selectBatch<OrderDetails>(
      db,
      ids,
      (isOneOf) => `select ${ORDER_COLUMNS},
        (select name from services where services.id = service_id) as "serviceName",
        (select slug from services where services.id = service_id) as "serviceSlug"
      from orders where id ${isOneOf}`,
    );
    return ids.map((id) => rows.find((row) => row.id === id.toLowerCase()));
  }),
);
