import type { ComponentProps } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { needsOwnDocument } from '../../lib/checkout-document.ts';
import { preloadPage } from '../../routes.tsx';

/**
 * A link within the site: fetches the page's code on approach, and loads the checkout's page as its own document.
 * Not the router's own: that one brings fetchers and prefetching along, several KiB that nothing here uses.
 */
export function SiteLink({ to, onClick, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { to: string }) {
  const ownDocument = needsOwnDocument(to);
  const navigate = useLinkClickHandler<HTMLAnchorElement>(to);
  const preload = ownDocument ? undefined : () => preloadPage(to);
  return (
    <a
      {...rest}
      href={useHref(to)}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={(event) => {
        onClick?.(event);
        if (!ownDocument && !event.defaultPrevented) navigate(event);
      }}
    />
  );
}
