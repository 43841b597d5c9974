import { type ServiceSlug, serviceBySlug } from '../../core/catalogue.ts';
import { formatPrice } from '../../core/money.ts';
import type { PageName } from './page-titles.ts';
import { serviceOverviews } from './service-overview.ts';

// The titles stand apart: the browser needs them for moves within the site, and the descriptions never.
export * from './page-titles.ts';

const priceOf = (slug: ServiceSlug) => formatPrice(serviceBySlug(slug).price);
/** The weeks alone: what follows the comma belongs to the services page. */
const weeksOf = (slug: ServiceSlug) => serviceOverviews[slug].timeline.split(',')[0];

/** What a result list shows under the title: 120 to 155 characters, prices from the catalogue. */
export const pageDescriptions: Record<PageName, string> = {
  home: 'Senior engineers who audit, design, optimize and migrate PostgreSQL, MySQL and MongoDB. Fixed prices, zero downtime, an average 10x performance gain.',
  about:
    'Who we are and how we work: 15+ years of experience, 500+ clients, 1000+ databases, 99.9% migration success, and three values to hold us to.',
  services:
    'Database Audit, Schema Design, Optimization Consulting and Migration Planning: what each includes, how long it takes, whom it is for and its price.',
  audit: `Schema, queries, locks, vacuum, backups and access reviewed on your own load, with findings ranked by severity. ${priceOf('audit')}, ${weeksOf('audit')}.`,
  design: `A data model that fits how your product reads and writes, with constraints, indexes and the migrations to get there. ${priceOf('design')}, ${weeksOf('design')}.`,
  optimization: `Slow queries, lock waits and memory pressure found by measurement and removed, with the numbers before and after. ${priceOf('optimization')}, ${weeksOf('optimization')}.`,
  migration: `A rehearsed plan to move a live database without downtime: dual write, backfill, verify, cut-over, and a way back. ${priceOf('migration')}, ${weeksOf('migration')}.`,
  pricing: `Fixed prices, paid once by card or PayPal, no account required: audit ${priceOf('audit')}, optimization ${priceOf('optimization')}, design ${priceOf('design')}, migration ${priceOf('migration')}.`,
  contact:
    'Tell us which database you run, how large it is and what is slow. A senior engineer replies within 24 hours. San Francisco, Mon-Fri 9AM-6PM EST.',
  enroll:
    'Tell us about your business before the work starts: company, role, team size, use case and compliance needs. We reach out within 24 hours.',
  account:
    'Your orders with their receipts, your enrollment and your newsletter subscription in one place, and the way to sign out on every device.',
  success:
    'The status of your order, the amount paid, and what happens next: a confirmation e-mail, a consultation, and the kickoff of your project.',
  newsletterConfirm:
    'Confirm your subscription to the Querywright newsletter: notes on query plans, indexes, locks and migrations from engineers who work on them.',
  newsletterUnsubscribe:
    'Leave the Querywright newsletter with one click. Your address is taken off the list at once, and you can subscribe again whenever you like.',
  notFound:
    'There is no page at this address. The services, the prices and the contact page of Querywright are one link away from here, in the menu above.',
};
