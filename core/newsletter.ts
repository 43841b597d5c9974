import { z } from 'zod';
import { emailAddress } from './text.ts';

/** Body of POST /api/newsletter/subscribe (spec §7). `website` is a honeypot. */
export const subscribeRequest = z.strictObject({
  email: emailAddress,
  website: z.string().max(500).optional(),
});
export type SubscribeRequest = z.input<typeof subscribeRequest>;
