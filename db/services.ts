import type { ServiceSlug, ServiceView } from '../core/services.ts';
import { services as catalogue } from '../core/services.ts';
import type { Database } from './database.ts';

const columns: (keyof ServiceView)[] = ['id', 'slug', 'name', 'description', 'price'];

/** All services in the catalogue's order. */
export async function listServices(db: Database): Promise<ServiceView[]> {
  const rows = await db<ServiceView>('services').select(...columns);
  const rank = (slug: ServiceSlug) => catalogue.findIndex((entry) => entry.slug === slug);
  return rows.sort((a, b) => rank(a.slug) - rank(b.slug));
}

/** The service with this id or slug. */
export async function findService(db: Database, key: string): Promise<ServiceView | undefined> {
  const isSlug = catalogue.some((entry) => entry.slug === key);
  return db<ServiceView>('services')
    .select(...columns)
    .where(isSlug ? { slug: key as ServiceSlug } : { id: key })
    .first();
}

/** Writes the catalogue into the table, so that a price changed in `core/services.ts` takes effect at release. */
export async function seedServices(db: Database): Promise<void> {
  await db('services')
    .insert(catalogue.map(({ slug, name, description, price }) => ({ slug, name, description, price })))
    .onConflict('slug')
    .merge(['name', 'description', 'price']);
}
