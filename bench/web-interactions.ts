import { setTimeout as delay } from 'node:timers/promises';
import {
  type Browser,
  type CDPSession,
  devices,
  type ElementHandle,
  type Locator,
  type Page,
} from 'playwright-core';
import { paths } from '../core/paths.ts';
import { cardNumber, continueToPayment, emailField } from '../e2e/checkout-page.ts';
import { pages } from '../web/metadata/pages.ts';

/** What Lighthouse's phone is slowed by, applied instead of simulated. */
const CPU_SLOWDOWN = 4;
const slow4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 93_750 };
const MAX_FIELDS = 3;
const PAUSE_MS = 300;

/**
 * The slowest interaction on the page until its next paint, in ms (in steps of 8): the menu opens and closes, fields are
 * typed in, details are unfolded, the checkout goes on to the payment, and two links are followed.
 */
export async function slowestInteraction(browser: Browser, address: string, as?: string): Promise<number> {
  return slowestOn(browser, address, as, async (page) => {
    await toggleMenu(page);
    await toggleMenu(page);
    await useFields(page);
    if (isAt(page, paths.pricing)) await openPayment(page);
    await followContent(page);
    await toggleMenu(page);
    const [label, to] = isAt(page, paths.about) ? ['Services', paths.services] : ['About', paths.about];
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await menu.getByRole('link', { name: label, exact: true }).tap();
    await page.waitForURL(`**${to}`);
  });
}

/** The limit beside it: fields and details of the same page without scripts. */
export async function slowestWithoutScripts(browser: Browser, address: string): Promise<number> {
  return slowestOn(browser, address, undefined, useFields);
}

async function slowestOn(
  browser: Browser,
  address: string,
  as: string | undefined,
  use: (page: Page) => Promise<void>,
): Promise<number> {
  const { page, slowDown, close } = await openPhone(browser);
  await page.addInitScript(watchInteractions);
  if (as) await signIn(page, address, as);
  await slowDown();
  await page.goto(address, { waitUntil: 'networkidle' });
  await use(page);
  const slowest = await page.evaluate(readSlowest);
  await close();
  return slowest;
}

async function useFields(page: Page): Promise<void> {
  const fields = page
    .locator(':is(input[type=text], input[type=email], textarea):not([tabindex])')
    .filter({ visible: true });
  for (const field of (await fields.all()).slice(0, MAX_FIELDS)) {
    await tap(field);
    await field.press('a');
    await delay(PAUSE_MS);
  }
  for (const details of await page.locator('summary').filter({ visible: true }).all()) await tap(details);
}

async function openPayment(page: Page): Promise<void> {
  await emailField(page).fill('ada@example.com');
  await page.locator('#payment').getByRole('combobox').selectOption('audit');
  await tap(continueToPayment(page));
  await cardNumber(page).waitFor();
}

/** Follows a link within the content, or in the footer where the content has none. */
async function followContent(page: Page): Promise<void> {
  const links = await page
    .locator(':is(main, footer) a[href^="/"]')
    .filter({ visible: true })
    .elementHandles();
  for (const link of links) {
    const to = (await link.getAttribute('href')) ?? '';
    if (!pages.some((known) => known.path === to) || to === paths.pricing || isAt(page, to)) continue;
    await tap(link);
    await page.waitForURL(`**${to}`);
    return;
  }
  throw new Error(`${page.url()} leads nowhere`);
}

const isAt = (page: Page, address: string) => new URL(page.url()).pathname === address;

/** As a person does, who scrolls, aims, and looks at what happens. */
async function tap(target: Locator | ElementHandle): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  await delay(PAUSE_MS);
  await target.tap();
  await delay(PAUSE_MS);
}

/** Milliseconds from a tap on Get Started, with nothing of the checkout loaded, until its first field is typed in. */
export async function firstFieldUsable(browser: Browser, origin: string): Promise<number> {
  const { page, cdp, slowDown, close } = await openPhone(browser);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', slow4G);
  await slowDown();
  await page.goto(`${origin}/services/database-audit`, { waitUntil: 'load' });
  const link = page.locator('main').getByRole('link', { name: /^Get Started/ });
  await link.first().scrollIntoViewIfNeeded();
  const started = performance.now();
  await link.first().tap();
  await page.getByLabel('Full name').fill('Ada');
  const took = performance.now() - started;
  await close();
  return took;
}

interface Phone {
  page: Page;
  cdp: CDPSession;
  slowDown(): Promise<unknown>;
  close(): Promise<void>;
}

async function openPhone(browser: Browser): Promise<Phone> {
  const context = await browser.newContext(devices['Moto G4']);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  return {
    page,
    cdp,
    slowDown: () => cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN }),
    close: () => context.close(),
  };
}

async function signIn(page: Page, address: string, name: string): Promise<void> {
  await page.goto(`${new URL(address).origin}/api/login?returnTo=/`);
  await page.getByRole('button', { name: `Continue as ${name}` }).click();
  await page.waitForURL(`${new URL(address).origin}/`);
}

async function toggleMenu(page: Page): Promise<void> {
  const opener = page.getByRole('banner').getByRole('button', { name: /^(Open|Close) menu$/ });
  const before = await opener.getAttribute('aria-label');
  await tap(opener);
  const after = before === 'Open menu' ? 'Close menu' : 'Open menu';
  await page.getByRole('banner').getByRole('button', { name: after }).waitFor();
}

/** Runs in the page. */
function watchInteractions(): void {
  const durations: number[] = [];
  Object.assign(window, { interactions: durations });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[])
      if (entry.interactionId > 0) durations.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

/** Runs in the page. Entries arrive after their frame. 16 ms is the least that a browser reports. */
async function readSlowest(): Promise<number> {
  await new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))),
  );
  return Math.max(16, ...(window as unknown as { interactions: number[] }).interactions);
}
