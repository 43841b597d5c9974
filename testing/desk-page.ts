import type { Page } from 'playwright-core';

/** Signs in as a test person of the sandbox and opens a page of the desk. */
export async function signInAtDesk(
  shop: { url: string },
  page: Page,
  name: 'Vera Holm' | 'Olive Park' | 'Marcus Webb',
  { path = '/desk', fresh = false } = {},
): Promise<void> {
  const query = new URLSearchParams({ returnTo: path, ...(fresh ? { fresh: '1' } : {}) });
  await page.goto(`${shop.url}/api/login?${query}`);
  await page.getByRole('button', { name: `Continue as ${name}` }).click();
  await page.waitForURL(`${shop.url}${path}`);
}
