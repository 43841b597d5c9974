import { AxeBuilder } from '@axe-core/playwright';
import { launchBrowser } from '@querywright/sandbox/testing/browser';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

export { launchBrowser };

export const phone = { viewport: { width: 390, height: 844 } };
export const desktop = { viewport: { width: 1440, height: 900 } };

/** What the console said and what could not be loaded: a visitor's browser has nothing to complain about. */
export interface Watch {
  page: Page;
  complaints: string[];
  /** Fails with every complaint there was. */
  expectNone(): void;
}

/** A page of its own context that writes down console errors, warnings, page errors and failed requests. */
export async function openPage(browser: Browser, options: BrowserContextOptions = desktop): Promise<Watch> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // The browser itself cuts live streams and prefetches when it leaves a page.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} ${reason}`);
  });
  return { page, complaints, expectNone: () => expect(complaints).toEqual([]) };
}

/** How much has moved by itself since the page was loaded; 0 is the only good answer. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
            sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        // Buffered entries arrive before the second frame after this one.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 50)));
      }),
  );
}

/** How many pixels the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Fills the card form of the sandbox and pays. */
export async function payByCard(page: Page, number = '4242 4242 4242 4242'): Promise<void> {
  const card = page.frameLocator('iframe[title="Secure payment input frame"]');
  await card.getByLabel('Card number').fill(number);
  await card.getByLabel('Expiration').fill('12 / 34');
  await card.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: 'Complete Payment' }).click();
}

/** What axe finds wrong with the page as it is now. The payment providers' frames are theirs to answer for. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Between two colours the contrast is neither's.
  await page.evaluate(() => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    return Promise.allSettled(transitions.map((transition) => transition.finished));
  });
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  return violations.map((violation) => `${violation.id} ${violation.nodes[0]?.html}`);
}

/** The signed-in visitor's menu in the header of wide windows. */
export function accountMenu(page: Page) {
  return page.getByRole('banner').locator('button[aria-haspopup=menu]');
}

/** Signs in as one of the sandbox's people, named as on its page. Ends on the home page. */
export async function signInAs(shop: { url: string }, page: Page, name: string): Promise<void> {
  await page.goto(`${shop.url}/api/login?returnTo=/`);
  await page.getByRole('button', { name: `Continue as ${name}` }).click();
  // Until it has settled: a test that sets up routes next would catch half of this page's requests.
  await page.waitForURL(`${shop.url}/`, { waitUntil: 'networkidle' });
}
