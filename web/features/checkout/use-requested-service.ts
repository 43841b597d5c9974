import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { serviceSlugs } from '../../../core/catalogue.ts';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { isServiceRequested, SERVICE_QUERY } from './service-request.ts';
import type { Checkout } from './use-checkout.ts';

/** Selects the service in the query, by slug or id, and scrolls to the payment section. */
export function useRequestedService(change: Checkout['change']): void {
  const requested = useSearchParams()[0].get(SERVICE_QUERY);
  useEffect(() => {
    if (!requested) return;
    let left = false;
    const choose = (value: unknown) => {
      const service = serviceSlugs.find((slug) => slug === value);
      if (left || !service || !isServiceRequested()) return;
      change({ service });
      document.getElementById('payment')?.scrollIntoView({ behavior: 'instant' });
    };
    if (serviceSlugs.some((slug) => slug === requested)) choose(requested);
    else void slugOf(requested).then(choose);
    return () => {
      left = true;
    };
  }, [requested, change]);
}

/** Undefined if the service is unknown or the server does not answer. */
async function slugOf(serviceId: string): Promise<unknown> {
  try {
    const answer = await get(`${api.services}/${encodeURIComponent(serviceId)}`);
    return typeof answer === 'object' && answer !== null && 'slug' in answer ? answer.slug : undefined;
  } catch {
    return undefined;
  }
}
