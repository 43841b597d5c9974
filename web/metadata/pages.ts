import { type ServiceSlug, serviceSlugs } from '../../core/catalogue.ts';
import { pageDescriptions } from '../content/meta.ts';
import { type PageName, pageTitles } from '../content/page-titles.ts';
import { addresses } from './titles.ts';

/** What the prerenderer needs besides the markup. */
export interface PageMetadata {
  path: string;
  file: string;
  title: string;
  description: string;
  listed: boolean;
  service?: ServiceSlug;
  /** Its response allows the payment providers' scripts. */
  checkout?: true;
}

const unlisted: readonly PageName[] = [
  'enroll',
  'account',
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

/** Served with status 404 for every other address. */
export const notFoundPage = pageOf('notFound', '/404');
