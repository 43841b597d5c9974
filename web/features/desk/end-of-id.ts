/** An order's name in a list or title. Ids begin with the time, so those of one minute begin alike. */
export function endOfId(orderId: string): string {
  return `…${orderId.slice(-8)}`;
}
