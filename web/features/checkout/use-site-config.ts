import { useQuery } from '@tanstack/react-query';
import { siteConfig } from '../../../core/site-config.ts';
import { siteConfigQuery } from '../../lib/site-config.ts';

export function useSiteConfig() {
  return useQuery({ ...siteConfigQuery, select: (answer) => siteConfig.parse(answer) });
}
