import { describe, expect, test } from 'vitest';
import { request } from '../../testing/request.ts';
import { withShop } from '../../testing/shop.ts';
import { operations } from './operations.ts';

const shop = await withShop();

test('serves the OpenAPI document with the address of the site', async () => {
  const answer = await request(`${shop.url}/api/openapi.json`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: shop.config.publicUrl }] });
});

describe('a documented operation exists', () => {
  test.each(operations.map(({ method, path }) => [method.toUpperCase(), path]))(
    '%s %s',
    async (method, path) => {
      const address = path.replaceAll(/\{\w+\}/g, 'x');
      const answer = await request(`${shop.url}${address}`, { method: 'DELETE' });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')?.split(', ')).toContain(method);
    },
  );
});
