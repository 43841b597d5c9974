import { launchBrowser } from '@querywright/sandbox/testing/browser';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';
import { runAxe } from './axe.ts';

export { launchBrowser };

export const phone = { viewport: { width: 390, height: 844 } };
export const desktop = { viewport: { width: 1440, height: 900 } };

/** A page, and what went wrong on it: console errors and warnings, page errors, failed requests. */
interface WatchedPage {
  page: Page;
  problems: string[];
  /** Fails if there is a problem. */
  expectNone(): void;
}

/** Opens a page in a new context. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = desktop,
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page aborts its event streams and prefetches.
    if (reason !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()} ${reason}`);
  });
  if (expect.getState().currentTestName) onTestFailed(() => describePage(page, problems));
  return { page, problems, expectNone: () => expect(problems).toEqual([]) };
}

/** Prints what a failed test's page showed, frames included. */
async function describePage(page: Page, problems: string[]): Promise<void> {
  if (page.isClosed()) return;
  const texts = await Promise.all(
    page.frames().map((frame) =>
      frame
        .locator('body')
        .innerText({ timeout: 2000 })
        .catch((error: unknown) => String(error)),
    ),
  );
  console.info(`${page.url()}\n${texts.join('\n── frame\n')}\n${problems.join('\n')}`);
}

/** Holds every first paint until the fonts are there. What late ones move is for e2e/site-fonts.test.ts to judge. */
export async function paintWithFonts(page: Page): Promise<void> {
  await page.route('**/assets/*.css', async (route) => {
    await expect.poll(() => page.evaluate(areFontsFetched), { timeout: 10_000 }).toBe(true);
    await route.continue();
  });
}

/** Runs in the page. */
function areFontsFetched(): boolean {
  const fonts = [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=font]')];
  const isFetched = (font: HTMLLinkElement) => performance.getEntriesByName(font.href).length > 0;
  return document.readyState !== 'loading' && fonts.every(isFetched);
}

/** Waits until clicks reach the page's own code, which holds them back until it is hydrated. A stopped clock stops that too. */
export async function untilInteractive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const probe = document.body.appendChild(document.createElement('button'));
    const isLetThrough = probe.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    probe.remove();
    return isLetThrough;
  });
}

/**
 * Opens an address and waits until its page is hydrated. An idle network alone says little on a slow machine: the page
 * asks for its code only once it has been painted.
 */
export async function openHydrated(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'networkidle' });
  await untilInteractive(page);
}

/** The cumulative layout shift since the page was loaded. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
            sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        // Buffered entries arrive within two frames.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 50)));
      }),
  );
}

/** How many pixels the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Holds every request to this address until released. */
export async function holdRequests(page: Page, address: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  return release;
}

/** Fills the card form of the sandbox and pays. */
export async function payByCard(page: Page, number?: string): Promise<void> {
  await fillCard(page, number);
  // For a moment after it shrank, Chromium still hands clicks below the card's frame to the frame.
  await completePayment(page).press('Enter');
}

export async function fillCard(page: Page, number = '4242 4242 4242 4242'): Promise<void> {
  await cardFormReady(page);
  const card = page.frameLocator('iframe[title="Secure payment input frame"]');
  await card.getByLabel('Card number').fill(number);
  await card.getByLabel('Expiration').fill('12 / 34');
  await card.getByLabel('CVC').fill('123');
}

function completePayment(page: Page) {
  return page.getByRole('button', { name: 'Complete Payment' });
}

/** The card's fields are seen before they come to life, and a key pressed on a disabled button is lost. */
export async function cardFormReady(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Complete Payment', disabled: false }).waitFor();
}

/** The page's accessibility violations, without those in the payment providers' frames. */
export async function axeViolations(page: Page): Promise<string[]> {
  // The contrast is wrong in the middle of a color transition. One in a closed <details> never ends.
  await page.evaluate(() => {
    const isShown = ({ effect }: Animation) =>
      effect instanceof KeyframeEffect && effect.target?.checkVisibility();
    const transitions = document
      .getAnimations()
      .filter((animation) => animation instanceof CSSTransition && isShown(animation));
    return Promise.allSettled(transitions.map((transition) => transition.finished));
  });
  return runAxe(page, { exclude: ['iframe'] });
}

/** The page's accessibility violations in the light look and in the dark one. Leaves it light. */
export async function axeViolationsInBothLooks(page: Page): Promise<string[]> {
  const violations: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    violations.push(...(await axeViolations(page)).map((violation) => `${colorScheme}: ${violation}`));
  }
  return violations;
}

/** The signed-in visitor's menu in the header of a wide window. */
export function accountMenu(page: Page) {
  return page.getByRole('banner').locator('button[aria-haspopup=menu]');
}

/** Signs in as a test person of the sandbox. Ends on the home page. */
export async function signInAs(shop: { url: string }, page: Page, name: string): Promise<void> {
  await page.goto(`${shop.url}/api/login?returnTo=/`);
  await page.getByRole('button', { name: `Continue as ${name}` }).click();
  // A test that sets up routes next would intercept half of this page's requests.
  await page.waitForURL(`${shop.url}/`, { waitUntil: 'networkidle' });
}
