const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNECTION',
  'ESOCKET',
  'EDNS',
]);

/** Whether the error says that something outside is away or overloaded, not that we are wrong. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, type, statusCode } = error as Error & { code?: string; type?: string; statusCode?: number };
  if (type === 'StripeConnectionError' || type === 'StripeAPIError' || type === 'StripeRateLimitError')
    return true;
  if (statusCode !== undefined && (statusCode >= 500 || statusCode === 429)) return true;
  if (code && networkCodes.has(code)) return true;
  // PostgreSQL: connection exceptions, insufficient resources, operator intervention, lock and statement timeouts
  if (code && /^(08|53|57)|^(40001|40P01|55P03)$/.test(code)) return true;
  return /timeout|terminated|Connection ended|No answer within/i.test(error.message);
}
