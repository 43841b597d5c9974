import { z } from 'zod';
import { serviceSlugs } from './catalogue.ts';
import { plainAction } from './desk-actions.ts';
import { orderStatuses, paymentMethods } from './orders.ts';
import { isClean } from './text.ts';

const isMoment = (text: unknown) => z.iso.datetime().safeParse(text).success;
/** PostgreSQL has no year 0. */
const hasYear = (date: string) => !date.startsWith('0000');
const day = z.iso.date('Please enter a date').refine(hasYear, 'Please enter a date');

/** `from` and `to` are days in UTC, both included. */
export const orderFilters = z.strictObject({
  status: z.enum(orderStatuses).optional(),
  service: z.enum(serviceSlugs).optional(),
  method: z.enum(paymentMethods).optional(),
  from: day.optional(),
  to: day.optional(),
});
export type OrderFilters = z.infer<typeof orderFilters>;

export const orderExport = plainAction.extend({ filters: orderFilters });
export type OrderExport = z.infer<typeof orderExport>;

/** Where a page of a list ends: the time of its last row, to the microsecond, and its id. */
export const listCursor = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'Invalid cursor',
  )
  .refine((cursor) => isMoment(cursor.split('_')[0]) && hasYear(cursor), 'Invalid cursor');

const MAX_SEARCH_LENGTH = 200;

/**
 * A body, not a query: people search for names and addresses, which must not appear in URLs or logs. The text is searched
 * for among what passes the filters.
 */
export const orderListRequest = orderFilters.extend({
  text: z
    .string()
    .trim()
    .max(MAX_SEARCH_LENGTH, `Search text must be at most ${MAX_SEARCH_LENGTH} characters`)
    .refine((text) => isClean(text, 'line'), 'Please remove control characters')
    .optional(),
  after: listCursor.optional(),
});
export type OrderListRequest = z.infer<typeof orderListRequest>;

export const orderRow = z.object({
  id: z.uuid(),
  status: z.enum(orderStatuses),
  amount: z.int(),
  currency: z.string(),
  serviceName: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  paymentMethod: z.enum(paymentMethods),
  paymentId: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type OrderRow = z.infer<typeof orderRow>;

export const orderPage = z.object({
  orders: orderRow.array(),
  next: listCursor.nullable(),
});
export type OrderPage = z.infer<typeof orderPage>;

/** A new order or one that has changed; null after a gap: read the list again. */
export const orderChange = orderRow.nullable();

/** What was paid in a week, which begins on Monday (UTC). Amounts in cents, refunds subtracted. */
export const salesWeeks = z.object({
  weeks: z.object({ week: z.iso.date(), orders: z.int(), revenue: z.int() }).array(),
});
export type SalesWeek = z.infer<typeof salesWeeks>['weeks'][number];

const AMOUNT = /^\$?\s?(\d{1,3}(?:,\d{3})+|\d{1,7})(?:\.(\d{2}))?$/;

/** Cents of a text such as `$2,999` or `2999.00`; undefined for any other text. */
export function amountOf(text: string): number | undefined {
  const [, dollars, cents = '0'] = AMOUNT.exec(text.trim()) ?? [];
  return dollars === undefined ? undefined : Number(dollars.replaceAll(',', '')) * 100 + Number(cents);
}

export function passes(order: OrderRow, filters: OrderFilters, serviceName: string | undefined): boolean {
  const placed = order.createdAt.slice(0, 10);
  return (
    (!filters.status || filters.status === order.status) &&
    (!filters.method || filters.method === order.paymentMethod) &&
    (!filters.service || serviceName === order.serviceName) &&
    (!filters.from || placed >= filters.from) &&
    (!filters.to || placed <= filters.to)
  );
}
