import { z } from 'zod';
import { serviceSlugs } from './catalogue.ts';

// The catalogue stands in a file without zod, so that pages which only show prices need not carry it.
export * from './catalogue.ts';

/** Answer of GET /api/services and GET /api/services/{id or slug} (spec §7). `price` in cents. */
export const serviceView = z.object({
  id: z.uuid(),
  slug: z.enum(serviceSlugs),
  name: z.string(),
  description: z.string(),
  price: z.int(),
});
export type ServiceView = z.infer<typeof serviceView>;

/** What may stand in the path of GET /api/services/{serviceId}: the id or the slug. */
export const serviceKey = z.union([z.uuid(), z.enum(serviceSlugs)]);
