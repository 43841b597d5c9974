import { z } from 'zod';

export const currentUser = z.object({
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  enrollmentStatus: z.enum(['pending', 'completed']),
});
export type CurrentUser = z.infer<typeof currentUser>;
