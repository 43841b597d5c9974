import type { ServiceSlug } from '../core/services.ts';
import type { Database } from './database.ts';
import { findOrder, type Order } from './orders.ts';

/** An order with what people call the thing they bought. */
export interface OrderDetails extends Order {
  serviceName: string;
  serviceSlug: ServiceSlug;
}

/** The order and its service. */
export async function findOrderDetails(db: Database, id: string): Promise<OrderDetails | undefined> {
  const order = await findOrder(db, id);
  if (!order) return undefined;
  const service = await db('services')
    .where({ id: order.serviceId })
    .first<{ name: string; slug: ServiceSlug }>('name', 'slug');
  return { ...order, serviceName: service.name, serviceSlug: service.slug };
}
