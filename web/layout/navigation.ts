import { paths } from '../../core/paths.ts';

export const mainLinks = [
  { to: paths.home, label: 'Home' },
  { to: paths.about, label: 'About' },
  { to: paths.services, label: 'Services' },
  { to: paths.pricing, label: 'Pricing' },
  { to: paths.contact, label: 'Contact' },
] as const;
