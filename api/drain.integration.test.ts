import { expect, test } from 'vitest';
import { request } from '../testing/request.ts';
import { startShop } from '../testing/shop.ts';
import { startWebFor } from '../testing/shop-processes.ts';
import { waitFor } from '../testing/wait-for.ts';

test('a stopping web process is not ready, but keeps serving for the drain period', async () => {
  const shop = await startShop();
  const web = await startWebFor(shop, { DRAIN_SECONDS: '2' });
  await waitFor('it is ready', async () => (await request(`${web.url}/readyz`)).status === 200);

  const stopped = web.stop();
  await waitFor('it is not ready', async () => (await request(`${web.url}/readyz`)).status === 503);
  const answer = await request(`${web.url}/api/services`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('connection')).toBe('close');
  expect(await stopped).toBe(0);
  await shop.close();
}, 60_000);
