import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { layoutShift, openPage } from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';
import { pages } from '../web/metadata/pages.ts';

// What moves when our fonts arrive late. The fonts of other systems come from npm, so that every machine sees the same;
// Arimo has the widths of Arial and of Liberation Sans, Cousine those of Courier New.
const { shop, browser } = await withSite();

const MAX_SHIFT = 0.01;
const require = createRequire(import.meta.url);
const monospaced = { 'Courier New': 'cousine-latin-400' };
const systems: [string, Record<string, string>][] = [
  ['Arial', { Arial: 'arimo-latin-400', 'Arial Bold': 'arimo-latin-700', ...monospaced }],
  [
    'Roboto',
    {
      Roboto: 'roboto-latin-400',
      'Roboto Medium': 'roboto-latin-500',
      'Roboto Bold': 'roboto-latin-700',
      ...monospaced,
    },
  ],
];
const cases = systems.flatMap(([name, files]) => [360, 1440].map((width) => [name, width, files] as const));

test.each(cases)(
  'no text changes its lines when our fonts replace %s at %d px',
  async (_name, width, files) => {
    const { page } = await openPage(browser, { viewport: { width, height: 900 } });
    for (const { path: address } of pages) {
      const release = await holdFonts(page, files);
      await page.goto(`${shop.url}${address}`, { waitUntil: 'domcontentloaded' });
      await page.evaluate(loadBorrowed);
      const before = await page.evaluate(linesOfTexts);
      const shiftBefore = await layoutShift(page);
      release();
      await expect.poll(() => page.evaluate(areOursLoaded)).toBe(true);
      const after = await page.evaluate(linesOfTexts);
      const changed = after.filter((text, index) => text !== before[index]);
      expect.soft(changed, address).toEqual([]);
      expect.soft((await layoutShift(page)) - shiftBefore, address).toBeLessThan(MAX_SHIFT);
    }
    await page.context().close();
  },
);

/** The next page gets this system's fonts, and ours only when they are released. */
async function holdFonts(page: Page, files: Record<string, string>): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.unrouteAll();
  // The page is complete without script.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.route('**/assets/*.woff2', (route) => held.then(() => route.continue()));
  await page.route('**/assets/*.css', (route) => borrow(route, files));
  await page.route('**/borrowed/*', async (route) => {
    const name = path.basename(route.request().url());
    const file = require.resolve(`@fontsource/${name.split('-')[0]}/files/${name}`);
    await route.fulfill({ body: await readFile(file), contentType: 'font/woff2' });
  });
  return release;
}

async function borrow(route: Route, files: Record<string, string>): Promise<void> {
  const css = await (await route.fetch()).text();
  const borrowed = css
    .replace(/local\("?([^")]+)"?\)/g, (_, name: string) =>
      files[name] ? `url(/borrowed/${files[name]}-normal.woff2)` : 'local("not installed")',
    )
    // Else Linux rounds the width of every letter to whole pixels, which other systems and finer screens do not.
    .replace(/optimizeLegibility/i, 'geometricPrecision');
  await route.fulfill({ body: borrowed, contentType: 'text/css' });
}

/** Runs in the page: no file is fetched for a fallback as long as a better one is on its way. */
async function loadBorrowed(): Promise<void> {
  const borrowed = [...document.fonts].filter((face) => face.family.includes('Fallback'));
  const loaded = await Promise.allSettled(borrowed.map((face) => face.load()));
  if (!loaded.some((face) => face.status === 'fulfilled')) throw new Error('No font was borrowed.');
}

/** Runs in the page. */
function areOursLoaded(): boolean {
  const ours = [...document.fonts].filter((face) => /^"?Geist Variable/.test(face.family));
  const states = ours.map((face) => face.status);
  return states.includes('loaded') && !states.includes('loading');
}

/** Runs in the page: every text with its number of lines. */
function linesOfTexts(): string[] {
  const texts = new Set<Element>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    let block = walker.currentNode.parentElement;
    while (block && getComputedStyle(block).display === 'inline') block = block.parentElement;
    if (block?.checkVisibility() && walker.currentNode.textContent?.trim()) texts.add(block);
  }
  return [...texts].map((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = range.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(text).lineHeight);
    return `${Math.round(lines)}: ${text.textContent}`;
  });
}
