import { z } from 'zod';
import { emailAddress, honeypot, line, lines } from './text.ts';

export const contactRequest = z.strictObject({
  name: line('Name', 200),
  email: emailAddress,
  message: lines('Message', 5000),
  website: honeypot,
});
