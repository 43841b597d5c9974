import { QueryClient } from '@tanstack/react-query';
import { get } from './api-client.ts';

/**
 * The data rules of spec §4: nothing is retried, refetched on focus or polled, and nothing goes stale.
 * The default fetch joins the key's segments into the path (spec §7).
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal }) => get(queryKey.join('/'), signal),
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchInterval: false,
        staleTime: Number.POSITIVE_INFINITY,
        // Offline is an answer to show, not a reason to wait in silence.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
