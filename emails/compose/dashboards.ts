import type { PaymentMethod } from '../../core/orders.ts';
import type { Config } from '../../infra/config.ts';

type DashboardObject = 'payment' | 'dispute' | 'payout';

/**
 * The page in the provider's dashboard, or the list if there is no id; null in the local sandbox. PayPal does not document
 * the pages of single objects, only its searchable lists.
 * Sources: https://docs.stripe.com/api/disputes/update, https://docs.stripe.com/payouts,
 * https://developer.paypal.com/platforms/disputes/handle-disputes/use-resolution-center
 */
export function dashboardUrl(
  { stripe, paypal }: Pick<Config, 'stripe' | 'paypal'>,
  provider: PaymentMethod,
  object: DashboardObject,
  id?: string,
): string | null {
  if (provider === 'stripe') {
    if (stripe.api) return null;
    const mode = /^[rs]k_live_/.test(stripe.secretKey) ? '' : '/test';
    return `https://dashboard.stripe.com${mode}/${object}s${id ? `/${encodeURIComponent(id)}` : ''}`;
  }
  if (paypal.local) return null;
  const host = paypal.environment === 'live' ? 'www.paypal.com' : 'www.sandbox.paypal.com';
  return `https://${host}${object === 'dispute' ? '/disputes/dashboard' : '/activities'}`;
}
