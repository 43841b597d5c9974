import { paths } from '../../core/paths.ts';
import { SiteNavLink } from '../components/ui/link.tsx';

const links = [
  { to: paths.home, label: 'Home' },
  { to: paths.about, label: 'About' },
  { to: paths.services, label: 'Services' },
  { to: paths.pricing, label: 'Pricing' },
  { to: paths.contact, label: 'Contact' },
] as const;

/** The items of the main navigation. The list around them is the caller's. */
export function MainLinks({ item, link }: { item?: string; link: string }) {
  return links.map(({ to, label }) => (
    <li key={to} className={item}>
      <SiteNavLink to={to} end={to === paths.home} className={link}>
        {label}
      </SiteNavLink>
    </li>
  ));
}
