import { type MouseEvent, useContext, useTransition } from 'react';
import { Link, type LinkProps, NavLink, type NavLinkProps, useLinkClickHandler } from 'react-router-dom';
import { LinkRulesContext } from '../../lib/link-rules.ts';
import { whenIdle } from '../../lib/when-idle.ts';

/** A link within the site: fetches the page's code when the pointer or the focus approaches. */
export function SiteLink(props: LinkProps & { to: string }) {
  return <Link {...props} {...useLinkRules(props)} />;
}

/** The same, marked as current on its own page and, unless it is an `end`, on those below it. */
export function SiteNavLink(props: NavLinkProps & { to: string }) {
  return <NavLink {...props} {...useLinkRules(props)} />;
}

function useLinkRules({
  to,
  onClick,
  ...options
}: Omit<LinkProps, 'className' | 'style' | 'children'> & { to: string }) {
  const { preload, needsOwnDocument } = useContext(LinkRulesContext);
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, options);
  const [isFollowed, startTransition] = useTransition();
  if (needsOwnDocument(to)) return { reloadDocument: true, discover: 'none' } as const;

  const fetchPage = () => whenIdle(() => preload(to));
  return {
    discover: 'none',
    onPointerEnter: fetchPage,
    onFocus: fetchPage,
    // The next frame shows that the link is followed. Rendering the page takes longer.
    'data-followed': isFollowed || undefined,
    onClick(event: MouseEvent<HTMLAnchorElement>) {
      onClick?.(event);
      if (!event.defaultPrevented) startTransition(() => follow(event));
    },
  } as const;
}
