import { queryOptions } from '@tanstack/react-query';
import { api } from './api-paths.ts';

/** GET /api/config as it came; the checkout parses it, other pages only ask whether this is the sandbox. */
export const siteConfigQuery = queryOptions<unknown>({ queryKey: [api.config] });

/** Read by hand, so that a page without a checkout needs no schema library for one flag. */
export function isSandbox(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'sandbox' in config && config.sandbox === true;
}
