import { z } from 'zod';
import { emailAddress, line, lines } from './text.ts';

/** `website` is a honeypot: hidden from people, filled in by bots. */
export const contactRequest = z.strictObject({
  name: line('Name', 200),
  email: emailAddress,
  message: lines('Message', 5000),
  website: z.string('Please leave this empty').max(500, 'Please leave this empty').optional(),
});
export type ContactRequest = z.input<typeof contactRequest>;
