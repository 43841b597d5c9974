// Takes every page × {390, 1440} × {light, dark} of a running site (SITE_URL) into screenshots/, to be looked at.
// An argument narrows it down: `npm run screenshots -- pricing`.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

const site = process.env.SITE_URL ?? 'http://localhost:3000';
const folder = path.resolve(import.meta.dirname, '../screenshots');
const pages = {
  home: '/',
  about: '/about',
  services: '/services',
  'database-audit': '/services/database-audit',
  'schema-design': '/services/schema-design',
  optimization: '/services/optimization',
  'migration-planning': '/services/migration-planning',
  pricing: '/pricing',
  contact: '/contact',
  enroll: '/enroll',
  success: '/success?orderId=00000000-0000-4000-8000-000000000000',
  'newsletter-confirm': '/newsletter/confirm?token=example',
  'newsletter-unsubscribe': '/newsletter/unsubscribe?token=example',
  'not-found': '/no-such-page',
};
const wanted = process.argv[2];

await mkdir(folder, { recursive: true });
const executablePath = process.env.CHROME_PATH ?? (await chromium.executablePath());
const browser = await playwright.launch({ executablePath, args: ['--no-sandbox'] });
try {
  for (const width of [390, 1440]) {
    for (const colorScheme of ['light', 'dark']) await shoot(width, colorScheme);
  }
} finally {
  await browser.close();
}

async function shoot(width, colorScheme) {
  const context = await browser.newContext({
    viewport: { width, height: width < 800 ? 844 : 900 },
    colorScheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  for (const [name, address] of Object.entries(pages)) {
    if (wanted && wanted !== name) continue;
    await page.goto(`${site}${address}`, { waitUntil: 'networkidle' });
    await page.screenshot({ path: path.join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
  }
  await context.close();
}
