import { z } from 'zod';
import { plainAction } from './desk-actions.ts';
import { listCursor } from './desk-orders.ts';
import { isClean } from './text.ts';

/** `open`: unanswered messages, oldest first; otherwise all, newest first. */
export const messageListRequest = z.strictObject({ open: z.boolean(), after: listCursor.optional() });

export const messagePage = z.object({
  messages: z
    .object({
      id: z.uuid(),
      name: z.string(),
      email: z.string(),
      message: z.string(),
      createdAt: z.iso.datetime(),
      answeredAt: z.iso.datetime().nullable(),
    })
    .array(),
  next: listCursor.nullable(),
});
export type MessagePage = z.infer<typeof messagePage>;
export type DeskMessage = MessagePage['messages'][number];

export const messagePath = z.object({ messageId: z.uuid('Message id must be a UUID') });

export const enrollmentListRequest = z.strictObject({ after: listCursor.optional() });

export const enrollmentPage = z.object({
  enrollments: z
    .object({
      id: z.uuid(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      companyName: z.string().nullable(),
      role: z.string().nullable(),
      phone: z.string().nullable(),
      teamSize: z.string().nullable(),
      primaryUseCase: z.string().nullable(),
      complianceNeeds: z.string().nullable(),
      completedAt: z.iso.datetime(),
    })
    .array(),
  next: listCursor.nullable(),
});
export type EnrollmentPage = z.infer<typeof enrollmentPage>;

/** Each counts up to MAX_COUNTED. */
export const newsletterFigures = z.object({
  confirmed: z.int(),
  pending: z.int(),
  unsubscribed: z.int(),
});
export type NewsletterFigures = z.infer<typeof newsletterFigures>;

/** Names a person. The e-mail address is in the body, so that it appears in no URL or log. */
export const personRequest = plainAction.extend({
  email: z
    .string('E-mail is required')
    .trim()
    .min(3, 'E-mail is required')
    .max(254)
    .includes('@', { message: 'Please enter an e-mail address' })
    .refine((email) => isClean(email, 'line'), 'Please remove control characters'),
});
export type PersonRequest = z.infer<typeof personRequest>;

const rows = z.record(z.string(), z.unknown()).array();
export const personData = z.object({
  users: rows,
  orders: rows,
  emails: rows,
  contactMessages: rows,
  newsletter: rows,
});

export const personErased = z.object({
  users: z.int(),
  orders: z.int(),
  events: z.int(),
  emails: z.int(),
  contactMessages: z.int(),
  newsletter: z.int(),
  kept: z.object({ id: z.string(), status: z.string() }).array(),
});
