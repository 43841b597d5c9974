import { type ServiceSlug, serviceBySlug, serviceSlugs } from '../../core/catalogue.ts';
import { CURRENCY, toDecimalString } from '../../core/money.ts';
import { checkoutFor, paths, servicePaths } from '../../core/paths.ts';
import { contact } from '../content/contact.ts';
import type { PageMetadata } from './pages.ts';
import { titleOf } from './titles.ts';

type JsonLd = Record<string, unknown>;

export function jsonLdOf(page: PageMetadata, publicUrl: string): JsonLd[] {
  const organization = { '@id': `${publicUrl}/#organization` };
  const data: JsonLd[] = [];
  if (page.path === paths.home) data.push(organizationOf(publicUrl));
  if (page.path === paths.home) data.push(websiteOf(publicUrl, organization));
  if (page.service) data.push(serviceOf(page.service, publicUrl, organization));
  if (page.path === paths.pricing || page.path === paths.services) data.push(listOf(publicUrl, organization));
  if (page.path === paths.contact) data.push(faqOf());
  const trail = breadcrumbs(page, publicUrl);
  if (trail) data.push(trail);
  return data.map((entry) => ({ '@context': 'https://schema.org', ...entry }));
}

function organizationOf(publicUrl: string): JsonLd {
  return {
    '@type': 'Organization',
    '@id': `${publicUrl}/#organization`,
    name: 'Querywright',
    url: `${publicUrl}/`,
    logo: `${publicUrl}/icon-512.png`,
    description: 'Database consulting: audits, schema design, optimization and migration planning.',
    address: {
      '@type': 'PostalAddress',
      addressLocality: 'San Francisco',
      addressRegion: 'CA',
      addressCountry: 'US',
    },
  };
}

function websiteOf(publicUrl: string, publisher: JsonLd): JsonLd {
  return { '@type': 'WebSite', name: 'Querywright', url: `${publicUrl}/`, publisher };
}

function listOf(publicUrl: string, provider: JsonLd): JsonLd {
  return {
    '@type': 'ItemList',
    itemListElement: serviceSlugs.map((slug, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: serviceOf(slug, publicUrl, provider),
    })),
  };
}

function serviceOf(slug: ServiceSlug, publicUrl: string, provider: JsonLd): JsonLd {
  const service = serviceBySlug(slug);
  return {
    '@type': 'Service',
    name: service.name,
    description: service.description,
    url: `${publicUrl}${servicePaths[slug]}`,
    image: `${publicUrl}/share-${slug}.png`,
    provider,
    offers: {
      '@type': 'Offer',
      price: toDecimalString(service.price),
      priceCurrency: CURRENCY,
      availability: 'https://schema.org/InStock',
      url: `${publicUrl}${checkoutFor(slug)}`,
    },
  };
}

function faqOf(): JsonLd {
  return {
    '@type': 'FAQPage',
    mainEntity: contact.faq.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}

function breadcrumbs(page: PageMetadata, publicUrl: string): JsonLd | null {
  if (page.path === paths.home) return null;
  const trail = page.service ? [paths.home, paths.services, page.path] : [paths.home, page.path];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map((path, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: titleOf(path).split(/[|:]/)[0]?.trim(),
      item: `${publicUrl}${path}`,
    })),
  };
}
