import { z } from 'zod';

/** Every error answer of the API (design §7): a message for the person who reads it, and the bad fields by name. */
export const errorBody = z.object({
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;
