import { z } from 'zod';
import { rowId } from './desk-actions.ts';

export const recordRequest = z.strictObject({ after: rowId.optional() });

/** What staff did, newest first. */
export const recordPage = z.object({
  actions: z
    .object({
      id: rowId,
      at: z.iso.datetime(),
      staff: z.string(),
      text: z.string(),
      reason: z.string(),
      orderId: z.uuid().nullable(),
    })
    .array(),
  next: rowId.nullable(),
});
export type RecordPage = z.infer<typeof recordPage>;
