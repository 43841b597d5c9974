/** The footer of every mail that staff get. */
export const STAFF_REASON = 'You receive this because you are on the staff list of the Querywright site.';

/** The operator's command that shows an order with everything that happened to it. */
export function showOrder({ opsCommand, orderId }: { opsCommand: string; orderId: string }): string {
  return `${opsCommand} order show ${orderId}`;
}
