/** The footer of every mail that staff get. */
export const STAFF_REASON = 'You receive this because you are on the staff list of the Querywright site.';

/** The operator's command that shows an order with everything that happened to it. */
export function showOrder(orderId: string): string {
  return `npm run ops -- order show ${orderId}`;
}
