import { paths, servicePaths } from '../lib/paths.ts';

/** Each page's document title (spec §2). Kept apart from the rest of the metadata: moves within the site need it. */
export const titles: Record<string, string> = {
  [paths.home]: 'Querywright: database consulting for PostgreSQL, MySQL and MongoDB',
  [paths.about]: 'About Querywright: senior database engineers',
  [paths.services]: 'Database consulting services | Querywright',
  [servicePaths.audit]: 'Database Audit | Querywright',
  [servicePaths.design]: 'Schema Design | Querywright',
  [servicePaths.optimization]: 'Optimization Consulting | Querywright',
  [servicePaths.migration]: 'Migration Planning | Querywright',
  [paths.pricing]: 'Pricing | Querywright',
  [paths.contact]: 'Contact | Querywright',
  [paths.enroll]: 'Enrollment | Querywright',
  [paths.success]: 'Your order | Querywright',
  [paths.newsletterConfirm]: 'Confirm your subscription | Querywright',
  [paths.newsletterUnsubscribe]: 'Unsubscribe | Querywright',
};

export const notFoundTitle = 'Page Not Found | Querywright';

export function titleOf(pathname: string): string {
  return titles[pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname] ?? notFoundTitle;
}
