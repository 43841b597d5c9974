import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect } from 'react';
import { siteConfigQuery } from '../../lib/site-config.ts';
import { whenIdle } from '../../lib/when-idle.ts';

/** Loads payment code and Stripe's script near the payment section. A failure is reported there, once. */
export function usePreparedProviders(section: RefObject<HTMLElement | null>): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!section.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        whenIdle(() => prepare().catch(() => undefined));
      },
      { rootMargin: '200px 0px' },
    );
    observer.observe(section.current);
    return () => observer.disconnect();

    async function prepare() {
      const [config, { siteConfig }, { loadScript }] = await Promise.all([
        queryClient.fetchQuery(siteConfigQuery),
        import('../../../core/site-config.ts'),
        import('../../lib/load-script.ts'),
        import('./stripe-payment.tsx'),
        import('./create-order.ts'),
      ]);
      const { stripe } = siteConfig.parse(config);
      if (stripe) await loadScript(stripe.scriptUrl);
    }
  }, [queryClient, section]);
}
