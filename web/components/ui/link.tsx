import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import { needsOwnDocument } from '../../lib/checkout-document.ts';
import { preloadPage } from '../../routes.tsx';

/** A link within the site: fetches the page's code on approach, and loads the checkout's page as its own document. */
export function SiteLink({ to, ...rest }: ComponentProps<typeof Link> & { to: string }) {
  const ownDocument = needsOwnDocument(to);
  const preload = ownDocument ? undefined : () => preloadPage(to);
  return <Link {...rest} to={to} reloadDocument={ownDocument} onPointerEnter={preload} onFocus={preload} />;
}
