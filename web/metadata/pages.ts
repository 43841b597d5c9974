import type { ServiceSlug } from '../../core/catalogue.ts';
import { paths, servicePaths } from '../lib/paths.ts';
import { notFoundTitle, titleOf } from './titles.ts';

/** What the prerenderer must know of a page besides its markup. */
export interface PageMetadata {
  path: string;
  /** Where its HTML goes, under dist/web/pages/. */
  file: string;
  title: string;
  description: string;
  /** Only for pages that search engines may list. */
  listed: boolean;
  service?: ServiceSlug;
  /** The page whose response admits the payment providers' scripts. */
  checkout?: true;
}

function listed(path: string, description: string, more: Partial<PageMetadata> = {}): PageMetadata {
  const file = path === paths.home ? 'index.html' : `${path.slice(1)}.html`;
  return { path, file, title: titleOf(path), description, listed: true, ...more };
}

const unlisted = (path: string, description: string): PageMetadata =>
  listed(path, description, { listed: false });

export const pages: readonly PageMetadata[] = [
  listed(
    paths.home,
    'Senior engineers who audit, design, optimise and migrate PostgreSQL, MySQL and MongoDB databases. Fixed prices, zero-downtime migrations, an average 10x performance gain.',
  ),
  listed(
    paths.about,
    'Who we are and how we work: 15+ years of databases in production, 500+ clients, 99.9% migration success, and three values that we can be held to.',
  ),
  listed(
    paths.services,
    'Database Audit, Schema Design, Optimization Consulting and Migration Planning: what each includes, how long it takes, whom it is for and what it costs.',
  ),
  listed(
    servicePaths.audit,
    'A full review of schema, queries, configuration and operations, with findings ranked by severity. $2,999, 2-3 weeks.',
    { service: 'audit' },
  ),
  listed(
    servicePaths.design,
    'A data model that fits how your product reads and writes, with the migrations to get there. $4,999, 3-4 weeks.',
    { service: 'design' },
  ),
  listed(
    servicePaths.optimization,
    'Slow queries, lock waits and memory pressure found by measurement and removed, one by one. $3,999, 2-4 weeks.',
    { service: 'optimization' },
  ),
  listed(
    servicePaths.migration,
    'A rehearsed plan to move a live database without downtime, with a way back at every step. $5,999, 4-6 weeks.',
    { service: 'migration' },
  ),
  listed(
    paths.pricing,
    'Four fixed prices, paid once, by card or PayPal, with no account required: audit $2,999, optimization $3,999, schema design $4,999, migration planning $5,999.',
    { checkout: true },
  ),
  listed(
    paths.contact,
    'Tell us what your database does and should not do. A senior engineer replies within 24 hours. San Francisco, Mon-Fri 9AM-6PM EST.',
  ),
  unlisted(paths.enroll, 'Tell us about your business before the work starts.'),
  unlisted(paths.success, 'The status of your order.'),
  unlisted(paths.newsletterConfirm, 'Confirm your subscription to the Querywright newsletter.'),
  unlisted(paths.newsletterUnsubscribe, 'Leave the Querywright newsletter.'),
];

/** Served, with status 404, for every address that is not in the list above. */
export const notFoundPage: PageMetadata = {
  path: '/404',
  file: '404.html',
  title: notFoundTitle,
  description: 'There is no page at this address.',
  listed: false,
};
