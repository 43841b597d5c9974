import { type Browser, type CDPSession, devices, type Page } from 'playwright-core';

/** What Lighthouse's phone is slowed by, applied instead of simulated. */
const CPU_SLOWDOWN = 4;
const slow4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 93_750 };
const MAX_FIELDS = 3;

/**
 * The slowest interaction on the page until its next paint, in ms (in steps of 8): the menu opens and closes, fields are
 * typed in, details are unfolded, and another page is opened.
 */
export async function slowestInteraction(browser: Browser, address: string, as?: string): Promise<number> {
  const { page, slowDown, close } = await openPhone(browser);
  await page.addInitScript(watchInteractions);
  if (as) await signIn(page, address, as);
  await slowDown();
  await page.goto(address, { waitUntil: 'networkidle' });
  await toggleMenu(page);
  await toggleMenu(page);
  const fields = await page
    .locator(':is(input[type=text], input[type=email], textarea):not([tabindex])')
    .filter({ visible: true })
    .all();
  for (const field of fields.slice(0, MAX_FIELDS)) {
    await field.tap();
    await field.press('a');
  }
  for (const details of await page.locator('summary').filter({ visible: true }).all()) await details.tap();
  await toggleMenu(page);
  const other = new URL(address).pathname === '/about' ? 'Services' : 'About';
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: other, exact: true }).tap();
  await page.waitForURL(`**/${other.toLowerCase()}`);
  const slowest = await page.evaluate(readSlowest);
  await close();
  return slowest;
}

/** From a tap on Get Started on a service's page, of whose checkout nothing is loaded, until its first field is typed in, in ms. */
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
  await opener.tap();
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
