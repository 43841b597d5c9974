import { z } from 'zod';
import { concern } from './concerns.ts';
import { paymentMethods } from './orders.ts';

const todayItem = z.object({
  text: z.string(),
  at: z.iso.datetime(),
  orderId: z.uuid().nullable(),
  /** What staff can act on, by its row: run a failed job again or discard it, send an e-mail again, dismiss. */
  subject: z.object({ kind: z.enum(['job', 'transfer', 'email']), id: z.string() }).nullable(),
});
export type TodayItem = z.infer<typeof todayItem>;

/** What needs a person, most urgent first. */
export const todayView = z.object({
  concerns: z.object({ concern, items: todayItem.array() }).array(),
  /** The providers' pages of payouts; none in the sandbox. */
  payouts: z.object({ provider: z.enum(paymentMethods), url: z.string() }).array(),
});
export type TodayView = z.infer<typeof todayView>;
