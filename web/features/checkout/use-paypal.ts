import { useQuery } from '@tanstack/react-query';
import { openPaypal, type PaypalInstance } from './paypal-sdk.ts';
import { useSiteConfig } from './use-site-config.ts';

/** PayPal's client token lives for 15 minutes. */
const TOKEN_MS = 13 * 60_000;

interface Paypal {
  state: 'off' | 'failed' | 'loading' | 'ready';
  /** PayPal's script with a token that is young enough to open the window. */
  fresh: () => Promise<PaypalInstance>;
  /** Fetches another token for the next window. */
  renew: () => void;
  retry: () => void;
}

export function usePaypal(): Paypal {
  const config = useSiteConfig();
  const scriptUrl = config.data?.paypal?.scriptUrl;
  const script = useQuery({
    queryKey: ['paypal.js', scriptUrl],
    queryFn: () => (scriptUrl ? openPaypal(scriptUrl).catch(logged) : null),
    enabled: Boolean(scriptUrl),
    structuralSharing: false,
    staleTime: TOKEN_MS,
    refetchInterval: TOKEN_MS,
  });

  return {
    state: stateOf(),
    async fresh() {
      const isFresh = Date.now() - script.dataUpdatedAt < TOKEN_MS;
      const instance = isFresh ? script.data : (await script.refetch({ throwOnError: true })).data;
      if (!instance) throw new Error('PayPal is not ready');
      return instance;
    },
    renew: () => void script.refetch(),
    retry: () => void (config.isError ? config.refetch() : script.refetch()),
  };

  function stateOf(): Paypal['state'] {
    if (config.data?.paypal === null) return 'off';
    if (script.data) return 'ready';
    return config.isError || script.isError ? 'failed' : 'loading';
  }
}

function logged(error: unknown): never {
  console.error('PayPal could not be loaded', error);
  throw error;
}
