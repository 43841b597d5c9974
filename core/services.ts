import { z } from 'zod';
import { serviceSlugs } from './catalogue.ts';

// The catalogue has a file without zod, so that pages that only show prices do not load it.
export * from './catalogue.ts';

/** `price` in cents. */
export const serviceView = z.object({
  id: z.uuid(),
  slug: z.enum(serviceSlugs),
  name: z.string(),
  description: z.string(),
  price: z.int(),
});
export type ServiceView = z.infer<typeof serviceView>;

const unknown = 'Unknown service';
export const serviceKey = z.union([z.uuid(unknown), z.enum(serviceSlugs, unknown)], unknown);
