import { describe, expect, test } from 'vitest';
import { serviceSlugs, services } from '../../core/catalogue.ts';
import { formatPrice } from '../../core/money.ts';
import { about } from './about.ts';
import { contact } from './contact.ts';
import { contactCards } from './contact-cards.ts';
import { databaseAudit } from './database-audit.ts';
import { footer } from './footer.ts';
import { deliveryNotes, home } from './home.ts';
import { pageDescriptions, pageTitles } from './meta.ts';
import { migrationPlanning } from './migration-planning.ts';
import { newsletterConfirm, newsletterUnsubscribe } from './newsletter.ts';
import { nextSteps } from './next-steps.ts';
import { notFoundPage } from './not-found.ts';
import { optimization } from './optimization.ts';
import { highlightedPlan, planBadges, planFeatures, pricing } from './pricing.ts';
import { engagementProcess } from './processes.ts';
import { schemaDesign } from './schema-design.ts';
import { serviceOverviews } from './service-overview.ts';
import { servicesPage } from './services-page.ts';
import type { Figure, Point } from './types.ts';

const details = {
  audit: databaseAudit,
  design: schemaDesign,
  optimization,
  migration: migrationPlanning,
} as const;

describe('the figures are on their own pages', () => {
  test.each<[string, readonly Figure[] | undefined, Record<string, string>]>([
    [
      'home',
      home.figures,
      {
        'enterprise clients': '500+',
        'databases optimised': '500+',
        'average performance gain': '10x',
        'years of experience': '15+',
      },
    ],
    [
      'about',
      about.figures,
      { 'years of experience': '15+', clients: '500+', databases: '1000+', 'migration success': '99.9%' },
    ],
    [
      'optimization',
      optimization.figures,
      { 'faster queries': '10x', 'cost reduction': '50%', uptime: '99.9%' },
    ],
  ])('%s', (_page, figures, expected) => {
    expect(Object.fromEntries((figures ?? []).map(({ label, value }) => [label, value]))).toEqual(expected);
  });
});

describe('the specified texts are in their places', () => {
  test.each<[string, string, unknown]>([
    ['home', 'Trusted by 500+ enterprise clients', home.trust],
    ['home', 'PostgreSQL, MySQL and MongoDB', home.lead],
    ['home', 'Zero-downtime migrations', home.approach],
    ['home', 'Ongoing support', home.approach],
    ['home', 'within 24 hours', home.contact],
    ['about', 'Excellence Partnership Innovation', titlesOf(about.values)],
    ['about', 'Mission', about.mission],
    ['about', 'Vision', about.vision],
    ['contact', 'San Francisco', contactCards],
    ['contact', 'Mon-Fri 9AM-6PM EST', contactCards],
    ['contact', 'within 24 hours', contact.lead],
    ['contact', 'audit takes 1-2 weeks', contact.faq[0]],
    ['contact', 'design and migration projects take 4-8 weeks', contact.faq[0]],
    ['contact', 'PostgreSQL, MySQL and MongoDB', contact.faq[1]],
    ['pricing', '1-2 business days', pricing.payment],
    ['pricing', 'no account required', pricing.payment],
    ['every page', '© 2025', footer],
    ['an unknown address', 'Page Not Found', notFoundPage.title],
    ['an unknown address', 'add the page to the router', notFoundPage.hint],
    ['success', 'a confirmation e-mail within minutes', nextSteps[0]],
    ['success', 'reaches out within 1-2 business days to schedule a consultation', nextSteps[1]],
    ['success', 'with regular updates', nextSteps[2]],
  ])('%s: %s', (_page, words, content) => {
    expect(textsOf(content).join(' ')).toContain(words);
  });
});

describe('each service keeps its facts', () => {
  test.each([
    ['audit', '$2,999', '2-3 weeks', 30, 'Essential', '2-week delivery'],
    ['design', '$4,999', '3-4 weeks', 90, 'Popular', '3-week delivery'],
    [
      'optimization',
      '$3,999',
      '2-4 weeks, with ongoing support',
      60,
      'Performance',
      'Ongoing support for 1 month',
    ],
    ['migration', '$5,999', '4-6 weeks, depending on complexity', 120, 'Enterprise', null],
  ] as const)('%s', (slug, price, timeline, supportDays, badge, deliveryNote) => {
    const service = services.find((entry) => entry.slug === slug);
    expect(service && formatPrice(service.price)).toBe(price);
    expect(details[slug].title).toBe(service?.name);
    expect(serviceOverviews[slug].timeline).toBe(timeline);
    expect(planFeatures(slug)).toContain(`Follow-up support, ${supportDays} days`);
    expect(planBadges[slug]).toBe(badge);
    expect(deliveryNotes[slug]).toBe(deliveryNote);
    const { longDescription, deliverables, ideal } = serviceOverviews[slug];
    expect([longDescription, ideal, ...deliverables].every((text) => text.length > 20)).toBe(true);
  });

  test('schema design is the highlighted plan', () => {
    expect(highlightedPlan).toBe('design');
  });
});

test('each of the two four-step processes is on its own pages', () => {
  expect(titlesOf(engagementProcess)).toBe(
    'Discovery Call Analysis & Assessment Strategy & Planning Implementation & Support',
  );
  for (const slug of serviceSlugs) {
    expect(titlesOf(details[slug].process), slug).toBe('Discovery Analysis Implementation Optimization');
  }
});

test('the four questions answer timelines, systems, prices and support, with the catalogue’s figures', () => {
  expect(contact.faq).toHaveLength(4);
  const answers = textsOf(contact.faq).join(' ');
  for (const { price, supportDays } of services) {
    expect(answers).toContain(formatPrice(price));
    expect(answers).toContain(String(supportDays));
  }
});

test('no promise before the payment depends on a conversation', () => {
  expect(textsOf(contact.faq).join(' ')).not.toMatch(/date before you pay|offer first|discovery call/i);
});

test('no text has an exclamation mark, a stray space or a placeholder', () => {
  const texts = textsOf([
    home,
    deliveryNotes,
    about,
    contact,
    pricing,
    details,
    serviceOverviews,
    engagementProcess,
    servicesPage,
    footer,
    newsletterConfirm,
    newsletterUnsubscribe,
    notFoundPage,
    nextSteps,
  ]);
  texts.push(
    ...serviceSlugs.flatMap(planFeatures),
    ...Object.values(pageTitles),
    ...textsOf(pageDescriptions),
  );
  expect(texts.length).toBeGreaterThan(150);
  for (const text of texts) expect(text).not.toMatch(/!|undefined|NaN|\s\s|^\s|\s$|^$/);
});

describe('a result list can show what a page says of itself', () => {
  test.each(Object.entries(pageTitles))('the title of %s fits into 60 characters', (_name, title) => {
    expect(title.length).toBeLessThanOrEqual(60);
    expect(title).toContain(title === pageTitles.notFound ? 'Page Not Found' : ' ');
  });

  test.each(Object.entries(pageDescriptions))(
    'the description of %s has 120 to 155 characters',
    (_name, text) => {
      expect(text.length).toBeGreaterThanOrEqual(120);
      expect(text.length).toBeLessThanOrEqual(155);
    },
  );

  test('no two pages share a title or a description', () => {
    expect(new Set(Object.values(pageTitles)).size).toBe(Object.keys(pageTitles).length);
    expect(new Set(Object.values(pageDescriptions)).size).toBe(Object.keys(pageTitles).length);
  });
});

function titlesOf(points: readonly Point[]): string {
  return points.map((point) => point.title).join(' ');
}

/** Every string anywhere in a piece of content. */
function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (typeof content !== 'object' || content === null) return [];
  return Object.values(content).flatMap(textsOf);
}
