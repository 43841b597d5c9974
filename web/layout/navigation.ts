import { paths } from '../../core/paths.ts';

/** The header's links (spec §2), in their order. The logo is the link to the home page on wide screens too. */
export const mainLinks = [
  { to: paths.home, label: 'Home' },
  { to: paths.about, label: 'About' },
  { to: paths.services, label: 'Services' },
  { to: paths.pricing, label: 'Pricing' },
  { to: paths.contact, label: 'Contact' },
] as const;
