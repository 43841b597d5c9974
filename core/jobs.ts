import { z } from 'zod';
import { paymentMethods } from './orders.ts';

/** Every job, its queue and the ids it needs: ids only, as job data is readable in the queue. */
export const jobs = {
  'apply-payment-event': { queue: 'payments', payload: z.object({ eventId: z.string() }) },
  'reconcile-order': { queue: 'payments', payload: z.object({ orderId: z.string() }) },
  'refund-duplicate': {
    queue: 'payments',
    payload: z.object({ orderId: z.string(), paymentId: z.string() }),
  },
  'cancel-payment': {
    queue: 'payments',
    payload: z.object({ orderId: z.string(), paymentId: z.string(), provider: z.enum(paymentMethods) }),
  },
  /** What staff asked for. `amount` in cents, as text; `key` is the action's; `known` the refunds known at that time. */
  'refund-payment': {
    queue: 'payments',
    payload: z.object({
      orderId: z.string(),
      paymentId: z.string(),
      amount: z.string().regex(/^\d+$/),
      key: z.string(),
      known: z.array(z.string()).optional(),
      /** How often staff have run it again. */
      retries: z.int().optional(),
    }),
  },
  /** The reason is with the action. */
  'keep-payment': {
    queue: 'payments',
    payload: z.object({ orderId: z.string(), paymentId: z.string() }),
  },
  'cancel-order': { queue: 'payments', payload: z.object({ orderId: z.string() }) },
  'backfill-events': { queue: 'payments', payload: z.object({ provider: z.enum(paymentMethods) }) },
  'apply-retention': { queue: 'payments', payload: z.object({}) },
  'remind-staff': { queue: 'payments', payload: z.object({}) },
  'send-email': { queue: 'emails', payload: z.object({ emailId: z.string() }) },
} as const;

export const queueNames = ['payments', 'emails'] as const;
export type QueueName = (typeof queueNames)[number];
export type JobName = keyof typeof jobs;
export type JobPayload<N extends JobName> = z.infer<(typeof jobs)[N]['payload']>;
export type Job = { [N in JobName]: { name: N; payload: JobPayload<N> } }[JobName];

export const jobNames = Object.keys(jobs) as JobName[];

/** If one of these fails permanently, a buyer waits for money. */
export const refundJobs: readonly JobName[] = ['refund-duplicate', 'refund-payment'];

/** Channel on which a committed change of an order is announced; the payload is the order's id, or its status as JSON. */
export const ORDER_CHANGED = 'order_changed';
