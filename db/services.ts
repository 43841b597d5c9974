import type { ServiceSlug, ServiceView } from '../core/services.ts';
import { services as catalogue } from '../core/services.ts';
import { frugal, inBatches, perOwner } from './batches.ts';
import type { Database } from './database.ts';

const columns: (keyof ServiceView)[] = ['id', 'slug', 'name', 'description', 'price'];

export function listServices(db: Database): Promise<ServiceView[]> {
  return readServices(db)(undefined);
}

export async function findService(db: Database, key: string): Promise<ServiceView | undefined> {
  const services = await listServices(db);
  return services.find(({ id, slug }) => slug === key || id === key.toLowerCase());
}

const readServices = perOwner((db: Database) =>
  inBatches<undefined, ServiceView[]>(async (calls) => {
    const rows = await db<ServiceView>('services').select(...columns);
    const rank = (slug: ServiceSlug) => catalogue.findIndex((entry) => entry.slug === slug);
    const services = rows.sort((a, b) => rank(a.slug) - rank(b.slug));
    return calls.map(() => services);
  }, frugal),
);

/** Writes the catalogue into the table, so that a price changed in `core/catalogue.ts` takes effect at release. */
export async function seedServices(db: Database): Promise<void> {
  await db('services')
    .insert(catalogue.map(({ slug, name, description, price }) => ({ slug, name, description, price })))
    .onConflict('slug')
    .merge(['name', 'description', 'price']);
}
