import { expect, test } from 'vitest';
import { withShop } from '../testing/shop.ts';

const shop = await withShop();

test('serves the four services, by id or slug, with their prices', async () => {
  const services = await (await fetch(`${shop.url}/api/services`)).json();
  expect(services.map((service: { slug: string; price: number }) => [service.slug, service.price])).toEqual([
    ['audit', 299_900],
    ['design', 499_900],
    ['optimization', 399_900],
    ['migration', 599_900],
  ]);
  const byId = await fetch(`${shop.url}/api/services/${services[1].id}`);
  expect(await byId.json()).toMatchObject({ slug: 'design', name: 'Schema Design' });
  expect((await fetch(`${shop.url}/api/services/migration`)).status).toBe(200);
  expect((await fetch(`${shop.url}/api/services/nothing`)).status).toBe(404);
});
