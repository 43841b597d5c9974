import { z } from 'zod';

export const liveness = z.object({ status: z.literal('ok') });

/** Answer of GET /readyz; 'off' is disabled by the settings, which is not a fault. */
export const readinessReport = z.object({
  /** 'degraded': it serves, without what is missing. */
  status: z.enum(['ready', 'degraded', 'not ready']),
  missing: z.array(z.string()),
  checks: z.record(z.string(), z.enum(['ok', 'unreachable', 'off'])),
});
export type ReadinessReport = z.infer<typeof readinessReport>;
