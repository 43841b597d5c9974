import { isOutage } from '../../infra/outage.ts';
import { PaypalError } from '../../providers/paypal/client.ts';
import { HttpError, Unavailable } from '../http/errors.ts';

/**
 * Calls Stripe or PayPal for a waiting buyer. A timeout or outage is unknown, not failed: 503, and the same request may be
 * sent again (design §6). Anything else they object to is our fault, not the buyer's: 502, and the log has it.
 */
export async function providerCall<T>(unavailableMessage: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { type } = error as { type?: string };
    if (!type?.startsWith('Stripe') && !(error instanceof PaypalError)) throw error;
    if (isOutage(error)) throw new Unavailable(unavailableMessage, error);
    throw new HttpError(502, unavailableMessage, { cause: error });
  }
}
