import { paths, servicePaths } from '../../core/paths.ts';
import { withoutTrailingSlashes } from '../../core/trailing-slashes.ts';
import { type PageName, pageTitles } from '../content/page-titles.ts';

/** Each page's address, by its name in the content. */
export const addresses: Record<Exclude<PageName, 'notFound'>, string> = {
  home: paths.home,
  about: paths.about,
  services: paths.services,
  ...servicePaths,
  pricing: paths.pricing,
  contact: paths.contact,
  enroll: paths.enroll,
  account: paths.account,
  success: paths.success,
  newsletterConfirm: paths.newsletterConfirm,
  newsletterUnsubscribe: paths.newsletterUnsubscribe,
};

const names = new Map(Object.entries(addresses).map(([name, address]) => [address, name as PageName]));

export function titleOf(pathname: string): string {
  return pageTitles[names.get(withoutTrailingSlashes(pathname)) ?? 'notFound'];
}
