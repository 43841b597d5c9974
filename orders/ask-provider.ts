import { isOutage } from '../infra/outage.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { OrderError } from './errors.ts';

/** Asks a provider for a waiting buyer. An outage means unknown, to be retried; any other refusal is our fault. */
export async function askProvider<T>(unavailableMessage: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const code = isOutage(error) ? 'provider_unavailable' : 'provider_refused';
    throw new OrderError(code, unavailableMessage, { cause: error });
  }
}
