import { isOutage } from '../infra/outage.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { OrderError } from './errors.ts';

/**
 * Asks a provider while a buyer waits.
 * @throws OrderError `provider_unavailable` in an outage: the outcome is unknown, so the buyer may retry
 * @throws OrderError `provider_refused` for any other refusal, which is a fault of ours
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
