import { type ServiceSlug, serviceBySlug } from '../../core/catalogue.ts';

export const planBadges: Record<ServiceSlug, string> = {
  audit: 'Essential',
  design: 'Popular',
  optimization: 'Performance',
  migration: 'Enterprise',
};

export const highlightedPlan: ServiceSlug = 'design';

const features: Record<ServiceSlug, readonly string[]> = {
  audit: [
    'Schema, index and query review',
    'Locks, vacuum and configuration',
    'Backup restore test',
    'Findings ranked by severity',
    'Written report and team session',
  ],
  design: [
    'Data model with constraints',
    'Index plan for your queries',
    'Forward and backward migrations',
    'Tested with realistic volumes',
    'Design review with your team',
  ],
  optimization: [
    'Baseline under real load',
    'Query and index changes',
    'Memory, vacuum and pool settings',
    'Latencies before and after',
    'Dashboards and alerts',
  ],
  migration: [
    'Phased plan with ways back',
    'Compatibility report',
    'Dual write, backfill, verification',
    'Two full rehearsals',
    'An engineer at the cut-over',
  ],
};

/** What a plan includes, with the length of its follow-up support. */
export function planFeatures(service: ServiceSlug): readonly string[] {
  return [...features[service], `Follow-up support, ${serviceBySlug(service).supportDays} days`];
}

export const pricing = {
  title: 'One price per project, known before you start',
  lead: 'Four engagements with a fixed scope, a fixed price and a written result. Each one ends with follow-up support, so that you are not alone with the outcome.',
  payment: {
    title: 'Book and pay',
    lead: 'Paid once, by card or PayPal, with no account required. We write to you within 1-2 business days to schedule the consultation.',
  },
} as const;
