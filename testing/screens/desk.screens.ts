import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import type { TodayView } from '../../core/desk.ts';
import { signInAtDesk } from '../desk-page.ts';
import { withSite } from '../site.ts';
import {
  enrollments,
  me,
  messages,
  newsletter,
  order,
  page as orders,
  payouts,
  record,
  today,
  weeks,
} from './desk-samples.ts';
import { openLook, shoot } from './looks.ts';
import { openAlbum } from './pictures.ts';

const { shop, browser } = await withSite();
const album = openAlbum('desk');

const goodDay: TodayView = { concerns: [], payouts };
const pages: Record<string, [path: string, heading: string, answers: Record<string, unknown>]> = {
  'good-day': ['/desk', 'Today', { today: goodDay }],
  today: ['/desk', 'Today', { today }],
  orders: ['/desk/orders', 'Orders', { 'orders/list': orders, weeks: { weeks } }],
  people: [
    '/desk/people',
    'People',
    { 'messages/list': messages, 'enrollments/list': enrollments, newsletter },
  ],
  record: ['/desk/record', 'Record', { 'record/list': record }],
  order: [`/desk/orders/${order.id}`, order.customerName, { [`orders/${order.id}`]: order }],
};

describe.each([
  [360, 'light'],
  [360, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
] as const)('at %i px, %s', (...look) => {
  test.each(Object.entries(pages))('%s looks as it did', async (name, [path, heading, answers]) => {
    const page = await openLook(browser, look);
    await answer(page, { me, ...answers });
    await signInAtDesk(shop, page, 'Olive Park', { path });
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    for (const summary of await page.getByText('Refund Stripe’s payment').all()) await summary.click();
    await album.expectSame([name, ...look].join('-'), () => shoot(page));
    await page.context().close();
  });
});

async function answer(page: Page, answers: Record<string, unknown>): Promise<void> {
  await page.route('**/api/desk/orders/events', (route) => route.fulfill({ status: 204 }));
  for (const [path, json] of Object.entries(answers)) {
    await page.route(`**/api/desk/${path}`, (route) => route.fulfill({ json }));
  }
}
