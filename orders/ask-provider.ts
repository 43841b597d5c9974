import { isOutage } from '../infra/outage.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { OrderError } from './errors.ts';

/**
 * Asks a provider for a waiting buyer. A timeout or outage is unknown, not failed: the same request may be sent again.
 * Anything else that the provider objects to is our fault, not the buyer's.
 */
export async function askProvider<T>(unavailableMessage: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const code = isOutage(error) ? 'provider_unavailable' : 'provider_refused';
    throw new OrderError(code, unavailableMessage, { cause: error });
  }
}
