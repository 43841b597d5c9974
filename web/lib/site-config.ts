import { queryOptions } from '@tanstack/react-query';
import { api } from './api-paths.ts';

/** GET /api/config, unparsed: most pages only need the sandbox flag. */
export const siteConfigQuery = queryOptions<unknown>({ queryKey: [api.config] });

/** Checked by hand: one flag is not worth a schema library on every page. */
export function isSandbox(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'sandbox' in config && config.sandbox === true;
}
