/** The service catalogue, the only place with prices. `price`: US cents; `supportDays`: days of follow-up support. */
export const services = [
  {
    slug: 'audit',
    name: 'Database Audit',
    description:
      'A full review of schema, queries, configuration and operations, with findings ranked by severity.',
    price: 299_900,
    supportDays: 30,
  },
  {
    slug: 'design',
    name: 'Schema Design',
    description:
      'A data model that fits how your product reads and writes, with the migrations to get there.',
    price: 499_900,
    supportDays: 90,
  },
  {
    slug: 'optimization',
    name: 'Optimization Consulting',
    description: 'Slow queries, lock waits and memory pressure found by measurement and removed, one by one.',
    price: 399_900,
    supportDays: 60,
  },
  {
    slug: 'migration',
    name: 'Migration Planning',
    description: 'A rehearsed plan to move a live database without downtime, with a way back at every step.',
    price: 599_900,
    supportDays: 120,
  },
] as const;

export const serviceSlugs = ['audit', 'design', 'optimization', 'migration'] as const;
export type ServiceSlug = (typeof serviceSlugs)[number];
export type CatalogueEntry = (typeof services)[number];

export function serviceBySlug(slug: ServiceSlug): CatalogueEntry {
  const entry = services.find((service) => service.slug === slug);
  if (!entry) throw new Error(`service not found: ${slug}`);
  return entry;
}
