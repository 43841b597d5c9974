import { z } from 'zod';
import { isUnsettled } from './order-lifecycle.ts';
import { type OrderStatus, orderStatuses } from './orders.ts';
import { lines, ROW_ID } from './text.ts';

/** Every action requires a reason. `key` is generated once per action, so that a repeated call has no second effect. */
const asked = {
  key: z.uuid('The key must be a UUID'),
  reason: lines('A reason', 1_000),
};
/** The order as the person saw it: an action on an order that has moved since is refused. */
const seen = { seen: z.enum(orderStatuses) };

export const rowId = z.string().regex(ROW_ID, 'The id must be a number');

const paymentId = z.string().regex(/^[\w-]{1,200}$/, 'Not a payment');

export const refundAction = z.strictObject({
  action: z.literal('refund'),
  paymentId,
  /** Cents. */
  amount: z.int('Please enter an amount').positive('Please enter an amount'),
  /** Cents that could be refunded when the person looked. */
  left: z.int(),
  ...asked,
});

export const orderAction = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('note'), ...asked }),
  z.strictObject({ action: z.literal('check'), ...asked }),
  z.strictObject({ action: z.literal('replay'), eventId: rowId, ...asked }),
  z.strictObject({ action: z.literal('resend'), emailId: rowId, ...asked }),
  z.strictObject({
    action: z.literal('decide'),
    status: z.enum(['paid', 'refunded', 'canceled'], 'Please choose an outcome'),
    ...asked,
    ...seen,
  }),
  refundAction,
  z.strictObject({ action: z.literal('keep'), paymentId, ...asked, ...seen }),
  z.strictObject({ action: z.literal('cancel'), ...asked, ...seen }),
]);
export type OrderAction = z.infer<typeof orderAction>;
type ActionName = OrderAction['action'];

/** Those that move money or end an order: for these the person signs in again. */
export const needsFreshSignIn: Record<ActionName, boolean> = {
  note: false,
  check: false,
  replay: false,
  resend: false,
  decide: true,
  refund: true,
  keep: true,
  cancel: true,
};

/** Actions on a job that failed permanently. Both need a fresh sign-in: a job may move money. */
export const jobAction = z.strictObject({ action: z.enum(['retry', 'discard']), ...asked });
export type JobAction = z.infer<typeof jobAction>;

export const jobPath = z.object({ jobId: rowId });

/** An action without further fields: a dismissal, a message that is answered, an export. */
export const plainAction = z.strictObject(asked);
export type PlainAction = z.infer<typeof plainAction>;

export const transferPath = z.object({ transferId: rowId });
export const emailPath = z.object({ emailId: rowId });

/** A worker does the rest; what it does shows on the timeline. */
export const actionTaken = z.object({ queued: z.boolean() });

/** Whether staff may cancel the order: it is unpaid, and no bank is processing a payment. */
export function isCancelable(status: OrderStatus): boolean {
  return isUnsettled(status) && status !== 'processing';
}
