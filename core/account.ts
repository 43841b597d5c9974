import { z } from 'zod';

/** Answer of GET /api/auth/user; 401 when signed out. */
export const currentUser = z.object({
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  enrollmentStatus: z.enum(['pending', 'completed']),
});
export type CurrentUser = z.infer<typeof currentUser>;
