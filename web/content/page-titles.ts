import type { ServiceSlug } from '../../core/catalogue.ts';

/** The pages of the site, each service's own page under the service's slug. */
export type PageName =
  | 'home'
  | 'about'
  | 'services'
  | ServiceSlug
  | 'pricing'
  | 'contact'
  | 'enroll'
  | 'account'
  | 'success'
  | 'newsletterConfirm'
  | 'newsletterUnsubscribe'
  | 'notFound';

/** Document titles: at most 60 characters, so that no result list cuts them off. */
export const pageTitles: Record<PageName, string> = {
  home: 'Querywright: PostgreSQL, MySQL and MongoDB consulting',
  about: 'About Querywright: senior database engineers',
  services: 'Database consulting services | Querywright',
  audit: 'Database Audit | Querywright',
  design: 'Schema Design | Querywright',
  optimization: 'Optimization Consulting | Querywright',
  migration: 'Migration Planning | Querywright',
  pricing: 'Pricing | Querywright',
  contact: 'Contact | Querywright',
  enroll: 'Enrollment | Querywright',
  account: 'Your account | Querywright',
  success: 'Your order | Querywright',
  newsletterConfirm: 'Confirm your subscription | Querywright',
  newsletterUnsubscribe: 'Unsubscribe | Querywright',
  notFound: 'Page Not Found | Querywright',
};
