import { type MouseEvent, useContext, useTransition } from 'react';
import { Link, type LinkProps, NavLink, type NavLinkProps, useLinkClickHandler } from 'react-router-dom';
import { LinkRulesContext } from '../../lib/link-rules.ts';
import { whenIdle } from '../../lib/when-idle.ts';

/** A link within the site: fetches the page's code when the pointer or the focus approaches. */
export function SiteLink({ to, onClick, ...rest }: LinkProps & { to: string }) {
  return <Link {...rest} {...useLinkRules(to, onClick)} to={to} />;
}

/** The same, marked as current on its own page and, unless it is an `end`, on those below it. */
export function SiteNavLink({ to, onClick, ...rest }: NavLinkProps & { to: string }) {
  return <NavLink {...rest} {...useLinkRules(to, onClick)} to={to} />;
}

function useLinkRules(to: string, onClick: LinkProps['onClick']) {
  const { preload, needsOwnDocument } = useContext(LinkRulesContext);
  const follow = useLinkClickHandler<HTMLAnchorElement>(to);
  const [isFollowed, startTransition] = useTransition();
  if (needsOwnDocument(to)) return { onClick, reloadDocument: true, discover: 'none' } as const;

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
