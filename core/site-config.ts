import { z } from 'zod';

/** Public settings. Null is an unconfigured provider; `sandbox` shows the test-mode ribbon. */
export const siteConfig = z.object({
  sandbox: z.boolean(),
  stripe: z.object({ publishableKey: z.string(), scriptUrl: z.url() }).nullable(),
  paypal: z.object({ scriptUrl: z.url() }).nullable(),
});
export type SiteConfig = z.infer<typeof siteConfig>;
