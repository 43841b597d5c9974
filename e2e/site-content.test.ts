/** @module-tag core */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

// The promises and labels that must be on each built page, word for word.

const everyPage = {
  home: 'index',
  about: 'about',
  services: 'services',
  audit: 'services/database-audit',
  design: 'services/schema-design',
  optimization: 'services/optimization',
  migration: 'services/migration-planning',
  pricing: 'pricing',
  contact: 'contact',
  enroll: 'enroll',
  success: 'success',
  '404': '404',
} as const;
type Page = keyof typeof everyPage;

describe.each(Object.keys(everyPage) as Page[])('%s has the header and the footer', (page) => {
  const { header, footer } = read(page);

  test.each([
    ['Home', '/'],
    ['About', '/about'],
    ['Services', '/services'],
    ['Pricing', '/pricing'],
    ['Contact', '/contact'],
    ['Log In', '/api/login'],
    ['Get Started', '/pricing'],
    ['Querywright', '/'],
  ])('the header’s %s leads to %s', (label, address) => {
    expect(linksOf(header)).toContainEqual([label, address]);
  });

  test.each([
    ['Database Audit', '/services/database-audit'],
    ['Schema Design', '/services/schema-design'],
    ['Optimization Consulting', '/services/optimization'],
    ['Migration Planning', '/services/migration-planning'],
    ['About', '/about'],
    ['Contact', '/contact'],
    ['Pricing', '/pricing'],
  ])('the footer’s %s leads to %s', (label, address) => {
    expect(linksOf(footer)).toContainEqual([label, address]);
  });

  test('the footer subscribes to the newsletter and shows the year', () => {
    expect(footer).toMatch(/<input[^>]*type="email"/);
    expect(footer).toMatch(/<button[^>]*type="submit"/);
    expect(textOf(footer)).toContain('Subscribe');
    expect(textOf(footer)).toContain('© 2025');
  });
});

test.each<[Page, readonly string[]]>([
  [
    'home',
    [
      'Trusted by 500+ enterprise clients',
      '500+ databases optimised',
      '10x average performance gain',
      '15+ years of experience',
      'PostgreSQL, MySQL and MongoDB',
      'Zero-downtime migrations',
      'Ongoing support',
      '2-week delivery',
      '3-week delivery',
      'Ongoing support for 1 month',
      'within 24 hours',
    ],
  ],
  [
    'about',
    [
      'Mission',
      'Vision',
      'Excellence',
      'Partnership',
      'Innovation',
      '15+ years of experience',
      '500+ clients',
      '1000+ databases',
      '99.9% migration success',
      'Why teams choose us',
    ],
  ],
  [
    'services',
    [
      'Database Audit',
      'Schema Design',
      'Optimization Consulting',
      'Migration Planning',
      'Starting at $2,999',
      'Starting at $4,999',
      'Starting at $3,999',
      'Starting at $5,999',
      'Timeline 2-3 weeks',
      'Timeline 3-4 weeks',
      'Timeline 2-4 weeks, with ongoing support',
      'Timeline 4-6 weeks, depending on complexity',
      'Discovery Call',
      'Analysis & Assessment',
      'Strategy & Planning',
      'Implementation & Support',
    ],
  ],
  ['audit', ['Database Audit', '$2,999', 'Discovery', 'Analysis', 'Implementation', 'Optimization']],
  ['design', ['Schema Design', '$4,999', 'Discovery', 'Analysis', 'Implementation', 'Optimization']],
  [
    'optimization',
    ['Optimization Consulting', '$3,999', '10x faster queries', '50% cost reduction', '99.9% uptime'],
  ],
  ['migration', ['Migration Planning', '$5,999', 'Discovery', 'Analysis', 'Implementation', 'Optimization']],
  [
    'pricing',
    [
      'Database Audit Essential $2,999 One-time payment',
      'Schema Design Popular $4,999 One-time payment',
      'Optimization Consulting Performance $3,999 One-time payment',
      'Migration Planning Enterprise $5,999 One-time payment',
      'Follow-up support, 30 days',
      'Follow-up support, 90 days',
      'Follow-up support, 60 days',
      'Follow-up support, 120 days',
      'no account required',
      'Continue to Payment',
    ],
  ],
  [
    'contact',
    [
      'E-mail',
      'Phone',
      'Location San Francisco',
      'Hours Mon-Fri 9AM-6PM EST',
      'within 24 hours',
      'An audit takes 1-2 weeks',
      'Schema design and migration projects take 4-8 weeks',
      'Which database systems do you support?',
      'How does pricing work?',
      'Do you offer ongoing support?',
    ],
  ],
  ['enroll', ['Loading...']],
  ['success', ['Loading order details...']],
  ['404', ['Page Not Found', 'add the page to the router']],
])('%s has its specified texts', (page, words) => {
  const text = textOf(read(page).main);
  for (const expected of words) expect(text).toContain(expected);
});

test.each<[Page, string, string, number]>([
  ['home', 'Start Your Project', '/pricing', 1],
  ['home', 'View Services', '/#services', 1],
  ['home', 'Learn More', '/#approach', 4],
  ['services', 'See prices', '/pricing', 1],
  ['services', 'Contact us', '/#contact', 1],
  ...(['audit', 'design', 'optimization', 'migration'] as const).flatMap(
    (service): [Page, string, string, number][] => [
      ['pricing', 'Get Started', `/pricing?service=${service}#payment`, 1],
      ['services', 'Get Started', `/pricing?service=${service}#payment`, 2],
      [service, 'Get Started', `/pricing?service=${service}#payment`, 2],
      [service, 'Contact us', '/contact', 2],
    ],
  ),
  ['404', 'Back to Home', '/', 1],
])('on %s, %s leads to %s, %i times', (page, label, address, times) => {
  const found = linksOf(read(page).main).filter(([text, href]) => text === label && href === address);
  expect(found).toHaveLength(times);
});

test('every linked anchor exists on its page', () => {
  expect(read('home').main).toMatch(/id="services".*id="approach".*id="contact"/s);
  expect(read('pricing').main).toContain('id="payment"');
});

test('the message box has five rows, and the checkout starts with the card, its button disabled', () => {
  for (const page of ['home', 'contact'] as const) expect(read(page).main).toMatch(/<textarea[^>]*rows="5"/);
  expect(read('pricing').main).toMatch(/id="tab-stripe"[^>]*aria-selected="true"/);
  expect(read('pricing').main).toMatch(/<button[^>]*type="submit"[^>]*disabled=""/);
});

test('schema design is the highlighted plan', () => {
  const plans = read('pricing').main.split('<li class="flex flex-col');
  const highlighted = plans.filter((plan) => plan.includes('border-accent')).map(textOf);
  expect(highlighted).toHaveLength(1);
  expect(highlighted[0]).toContain('Schema Design');
});

interface Parts {
  header: string;
  main: string;
  footer: string;
}

function read(page: Page): Parts {
  const file = path.resolve(import.meta.dirname, '../dist/web/pages', `${everyPage[page]}.html`);
  const html = readFileSync(file, 'utf8');
  const part = (tag: string) => new RegExp(`<${tag}[\\s>].*</${tag}>`, 's').exec(html)?.[0] ?? '';
  return { header: part('header'), main: part('main'), footer: part('footer') };
}

/** What a link says to the eye, and where it leads. */
function linksOf(html: string): [string, string][] {
  return [...html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href = '', inner = '']) => [
    textOf(inner),
    href,
  ]);
}

const entities: Record<string, string> = { '&amp;': '&', '&#x27;': "'", '&quot;': '"' };

/** A figure's label is before its number in the markup, and after it to the eye: both orders are given. */
function textOf(html: string): string {
  const figures = html.replace(/<dt([^>]*)>([^<]*)<\/dt><dd([^>]*)>([^<]*)<\/dd>/g, '$& $4 $2 ');
  return figures
    .replaceAll(/<(svg|noscript).*?<\/\1>/gs, ' ')
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:amp|#x27|quot);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
