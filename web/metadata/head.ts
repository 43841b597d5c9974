import { serviceBySlug } from '../../core/catalogue.ts';
import { escapeHtml } from '../../core/html.ts';
import { formatPrice } from '../../core/money.ts';
import { CHECKOUT_META } from '../lib/checkout-document.ts';
import { jsonLdOf } from './json-ld.ts';
import type { PageMetadata } from './pages.ts';

/** Placeholder: the API substitutes its public address when it loads the pages. */
export const PUBLIC_URL = '__PUBLIC_URL__';
/** Placeholder on the checkout's page: the API substitutes each response's nonce. */
const CSP_NONCE = '__CSP_NONCE__';

export function headOf(page: PageMetadata): string {
  const address = `${PUBLIC_URL}${page.path}`;
  const tags = [`<title>${escapeHtml(page.title)}</title>`, meta('name', 'description', page.description)];
  if (page.checkout) tags.push(`<meta name="${CHECKOUT_META}" nonce="${CSP_NONCE}" content="${CSP_NONCE}">`);
  if (!page.listed) return [...tags, meta('name', 'robots', 'noindex')].join('\n    ');
  const image = shareImageOf(page);
  return [
    ...tags,
    `<link rel="canonical" href="${address}">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', 'Querywright'),
    meta('property', 'og:title', page.title),
    meta('property', 'og:description', page.description),
    meta('property', 'og:url', address),
    meta('property', 'og:image', image.url),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', image.alt),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', page.title),
    meta('name', 'twitter:description', page.description),
    meta('name', 'twitter:image', image.url),
    ...jsonLdOf(page, PUBLIC_URL).map(
      (data) => `<script type="application/ld+json">${escapeJson(JSON.stringify(data))}</script>`,
    ),
  ].join('\n    ');
}

/** Drawn by scripts/render-images.mjs. */
function shareImageOf({ service }: PageMetadata): { url: string; alt: string } {
  if (!service) {
    return {
      url: `${PUBLIC_URL}/share.png`,
      alt: 'Querywright: a query plan before and after, 12,430 ms to 1,180 ms',
    };
  }
  const { name, price } = serviceBySlug(service);
  return { url: `${PUBLIC_URL}/share-${service}.png`, alt: `${name} by Querywright, ${formatPrice(price)}` };
}

function meta(kind: 'name' | 'property', key: string, content: string): string {
  return `<meta ${kind}="${key}" content="${escapeHtml(content)}">`;
}

/** JSON that cannot close the script element around it. */
function escapeJson(json: string): string {
  return json.replaceAll('<', '\\u003c');
}
