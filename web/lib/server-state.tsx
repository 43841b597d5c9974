import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { createQueryClient } from './query-client.ts';

const queryClient = createQueryClient();

/** A page that reads from the API. They share one cache; the other pages do not load the library behind it. */
export function withServerState(Page: ComponentType): ComponentType {
  return function PageWithServerState() {
    return (
      <QueryClientProvider client={queryClient}>
        <Page />
      </QueryClientProvider>
    );
  };
}
