import { z } from 'zod';

/**
 * Answer of GET /api/config: what the browser must know of the server's settings, all of it public.
 * An empty provider means that it is not configured; `sandbox` shows the test-mode ribbon.
 */
export const siteConfig = z.object({
  sandbox: z.boolean(),
  stripe: z.object({ publishableKey: z.string(), scriptUrl: z.url() }).nullable(),
  paypal: z.object({ scriptUrl: z.url() }).nullable(),
});
export type SiteConfig = z.infer<typeof siteConfig>;
