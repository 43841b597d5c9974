import { z } from 'zod';
import { orderView } from './orders.ts';

export const currentUser = z.object({
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  enrollmentStatus: z.enum(['pending', 'completed']),
});
export type CurrentUser = z.infer<typeof currentUser>;

/** Answer of GET /api/account: the client's own data. Orders newest first, amounts in cents. */
export const accountView = z.object({
  email: z.string().nullable(),
  name: z.string().nullable(),
  enrollmentStatus: currentUser.shape.enrollmentStatus,
  newsletter: z.enum(['none', 'pending', 'confirmed', 'unsubscribed']),
  orders: orderView
    .pick({
      id: true,
      amount: true,
      amountRefunded: true,
      currency: true,
      status: true,
      debitReturned: true,
      createdAt: true,
    })
    .extend({ serviceName: z.string() })
    .array(),
});
export type AccountView = z.infer<typeof accountView>;
