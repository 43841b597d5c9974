import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { services } from '../../core/catalogue.ts';
import { headOf, PUBLIC_URL } from './head.ts';
import { jsonLdOf } from './json-ld.ts';
import { pages } from './pages.ts';

const site = 'https://querywright.example';
const listed = pages.filter((page) => page.listed);

// What search engines require of each type; unknown types fail.
const address = z.url().startsWith(site);
const reference = z.object({ '@id': address });
const service = z.strictObject({
  '@context': z.string().optional(),
  '@type': z.literal('Service'),
  name: z.string(),
  description: z.string(),
  url: address,
  image: address,
  provider: reference,
  offers: z.strictObject({
    '@type': z.literal('Offer'),
    price: z.string().regex(/^\d+\.\d\d$/),
    priceCurrency: z.literal('USD'),
    availability: z.literal('https://schema.org/InStock'),
    url: address,
  }),
});
const item = z.object({ '@type': z.literal('ListItem'), position: z.int().positive() });
const context = z.object({ '@context': z.literal('https://schema.org') });
const structured = z.intersection(
  context,
  z.discriminatedUnion('@type', [
    service,
    z.object({ '@type': z.literal('Organization'), name: z.string(), url: address, logo: address }),
    z.object({ '@type': z.literal('WebSite'), name: z.string(), url: address, publisher: reference }),
    z.object({
      '@type': z.literal('ItemList'),
      itemListElement: item.extend({ item: service }).array().length(4),
    }),
    z.object({
      '@type': z.literal('BreadcrumbList'),
      itemListElement: item
        .extend({ name: z.string().min(1), item: address })
        .array()
        .min(2),
    }),
    z.object({
      '@type': z.literal('FAQPage'),
      mainEntity: z
        .object({
          '@type': z.literal('Question'),
          name: z.string(),
          acceptedAnswer: z.object({ '@type': z.literal('Answer'), text: z.string() }),
        })
        .array()
        .length(4),
    }),
  ]),
);

describe.each(listed.map((page) => [page.path, page] as const))('%s', (_path, page) => {
  test('has valid structured data', () => {
    const data = jsonLdOf(page, site);
    expect(data.length).toBeGreaterThan(0);
    for (const entry of data) expect(structured.safeParse(entry).error).toBeUndefined();
  });

  test('has a share image that exists', () => {
    const image = /property="og:image" content="([^"]+)"/.exec(headOf(page))?.[1] ?? '';
    const file = path.join(import.meta.dirname, '../public', image.replace(PUBLIC_URL, ''));
    expect(existsSync(file), file).toBe(true);
  });
});

test('prices in structured data are the catalogue’s', () => {
  const pricing = listed.find((page) => page.path === '/pricing');
  const text = JSON.stringify(pricing && jsonLdOf(pricing, site));
  for (const { price } of services) expect(text).toContain(`"price":"${price / 100}.00"`);
});
