import { type ServiceSlug, serviceSlugs } from '../../core/catalogue.ts';
import { pageDescriptions } from '../content/meta.ts';
import { type PageName, pageTitles } from '../content/page-titles.ts';
import { addresses } from './titles.ts';

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

const unlisted: readonly PageName[] = [
  'enroll',
  'success',
  'newsletterConfirm',
  'newsletterUnsubscribe',
  'notFound',
];

function pageOf(name: PageName, path: string): PageMetadata {
  const service = serviceSlugs.find((slug) => slug === name);
  return {
    path,
    file: path === '/' ? 'index.html' : `${path.slice(1)}.html`,
    title: pageTitles[name],
    description: pageDescriptions[name],
    listed: !unlisted.includes(name),
    ...(service ? { service } : {}),
    ...(name === 'pricing' ? { checkout: true } : {}),
  };
}

export const pages: readonly PageMetadata[] = Object.entries(addresses).map(([name, path]) =>
  pageOf(name as PageName, path),
);

/** Served, with status 404, for every address that is not in the list above. */
export const notFoundPage = pageOf('notFound', '/404');
