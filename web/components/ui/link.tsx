import { useContext } from 'react';
import { Link, type LinkProps, NavLink, type NavLinkProps } from 'react-router-dom';
import { LinkRulesContext } from '../../lib/link-rules.ts';

/** A link within the site: fetches the page's code when the pointer or the focus approaches. */
export function SiteLink({ to, ...rest }: LinkProps & { to: string }) {
  return <Link {...rest} {...useLinkRules(to)} to={to} />;
}

/** The same, marked as current on its own page and, unless it is an `end`, on those below it. */
export function SiteNavLink({ to, ...rest }: NavLinkProps & { to: string }) {
  return <NavLink {...rest} {...useLinkRules(to)} to={to} />;
}

function useLinkRules(to: string): Omit<LinkProps, 'to'> {
  const { preload, needsOwnDocument } = useContext(LinkRulesContext);
  if (needsOwnDocument(to)) return { reloadDocument: true, discover: 'none' };
  const fetchPage = () => preload(to);
  return { discover: 'none', onPointerEnter: fetchPage, onFocus: fetchPage };
}
