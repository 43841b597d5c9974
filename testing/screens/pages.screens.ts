import { describe, expect, test } from 'vitest';
import { newsletterConfirmFor, newsletterUnsubscribeFor, paths, servicePaths } from '../../core/paths.ts';
import { withSite } from '../site.ts';
import { looks, openLook, shoot } from './looks.ts';
import { openAlbum } from './pictures.ts';

const { shop, browser } = await withSite();
const album = openAlbum('pages');

const pages = {
  home: paths.home,
  about: paths.about,
  services: paths.services,
  'database-audit': servicePaths.audit,
  'schema-design': servicePaths.design,
  optimization: servicePaths.optimization,
  'migration-planning': servicePaths.migration,
  pricing: paths.pricing,
  contact: paths.contact,
  account: paths.account,
  'newsletter-confirm': newsletterConfirmFor('example'),
  'newsletter-unsubscribe': newsletterUnsubscribeFor('example'),
  'not-found': '/no-such-page',
};

describe.each(looks)('at %i px, %s', (...look) => {
  test.each(Object.entries(pages))('%s looks as it did', async (name, address) => {
    const page = await openLook(browser, look);
    await page.goto(shop.url + address, { waitUntil: 'networkidle' });
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await album.expectSame([name, ...look].join('-'), () => shoot(page));
    await page.context().close();
  });
});
