import { z } from 'zod';

/** Every error answer of the API: a message for people, a stable code for programs, and the invalid fields by name. */
export const errorBody = z.object({
  message: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

export const acknowledgement = z.object({ message: z.string() });
export type Acknowledgement = z.infer<typeof acknowledgement>;

export const webhookReceived = z.object({ received: z.literal(true) });
