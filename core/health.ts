import { z } from 'zod';

export const liveness = z.object({ status: z.literal('ok') });

/** Answer of GET /readyz; 'off' is switched off by the settings, which is no fault. */
export const readinessReport = z.object({
  status: z.enum(['ready', 'not ready']),
  missing: z.array(z.string()),
  checks: z.record(z.string(), z.enum(['ok', 'unreachable', 'off'])),
});
export type ReadinessReport = z.infer<typeof readinessReport>;
