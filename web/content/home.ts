import type { ServiceSlug } from '../../core/catalogue.ts';
import type { Figure, Point } from './types.ts';

export const home = {
  title: 'Slow queries have a cause. We find it, fix it and prove it.',
  lead: 'Senior database engineers for PostgreSQL, MySQL and MongoDB. We audit, design, optimize and migrate production databases at a fixed price, and we show you the plan before and after.',
  trust: 'Trusted by 500+ enterprise clients.',

  figures: [
    { value: '500+', label: 'enterprise clients' },
    { value: '500+', label: 'databases optimised' },
    { value: '10x', label: 'average performance gain' },
    { value: '15+', label: 'years of experience' },
  ] satisfies Figure[],

  services: {
    title: 'Four engagements, each with an end',
    lead: 'Every one has a fixed scope and a fixed price, and leaves something behind that your team can keep using: a report, a schema, a faster system, a rehearsed plan.',
  },

  approach: {
    title: 'The way we work on a live database',
    lead: 'No one should have to choose between a better database and a quiet pager.',
    points: [
      {
        title: 'Zero-downtime migrations',
        text: 'Dual writes, a throttled backfill, row-by-row verification, then a cut-over of seconds. Each step has a way back that was tried before it is needed.',
      },
      {
        title: 'PostgreSQL, MySQL and MongoDB',
        text: 'We read their planners, their lock tables and their source code. You get advice for the version that you run, on the hardware or cloud that you run it on.',
      },
      {
        title: 'Measured, not guessed',
        text: 'We start from your own statistics and plans and change one thing at a time. A change that does not show in the numbers is taken out again.',
      },
      {
        title: 'Ongoing support',
        text: 'The engineer who did the work stays reachable after it: 30 to 120 days of follow-up support are part of every price.',
      },
    ] satisfies Point[],
  },

  contact: {
    title: 'Tell us what hurts',
    lead: 'A few lines are enough: which database, how large, what is slow or worrying. A senior engineer reads it, and you hear from us within 24 hours.',
  },
} as const;

/** The delivery note on each service card; migration has none. */
export const deliveryNotes: Record<ServiceSlug, string | null> = {
  audit: '2-week delivery',
  design: '3-week delivery',
  optimization: 'Ongoing support for 1 month',
  migration: null,
};
