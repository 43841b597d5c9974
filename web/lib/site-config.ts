import { queryOptions } from '@tanstack/react-query';
import { api } from './api-paths.ts';

/** GET /api/config, unparsed: it is prefetched where the schema is not loaded yet. */
export const siteConfigQuery = queryOptions<unknown>({ queryKey: [api.config] });
