import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openPage } from '../browser.ts';

const WIDTHS = [320, 390, 768, 1024, 1440];
const themes = ['light', 'dark'] as const;

/** Every width in both themes. */
export const looks = WIDTHS.flatMap((width) => themes.map((theme) => [width, theme] as const));
export type Look = (typeof looks)[number];

/** A page in this look, at half the resolution: that shows what moves or changes color, in a quarter of the bytes. */
export async function openLook(browser: Browser, [width, colorScheme]: Look): Promise<Page> {
  const options: BrowserContextOptions = {
    viewport: { width, height: 900 },
    deviceScaleFactor: 0.5,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  };
  return (await openPage(browser, options)).page;
}

/** A screenshot of the whole page, or of one part. */
export async function shoot(page: Page, part?: Locator): Promise<Buffer> {
  await page.evaluate(() => document.fonts.ready);
  // The header would be in the middle of the picture.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  // The pointer hovers where the last click has left it.
  await page.mouse.move(0, 0);
  // The provider's frames use the machine's own fonts.
  const mask = [page.locator('iframe')];
  const clip = part && (await part.evaluate(evenBox));
  return page.screenshot({
    animations: 'disabled',
    caret: 'hide',
    fullPage: true,
    mask,
    ...(clip && { clip }),
  });
}

/** The element's place on the page, in even numbers: half of them is a whole pixel. */
function evenBox(element: Element) {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [x, y] = [left + window.scrollX, top + window.scrollY].map((edge) => Math.floor(edge / 2) * 2);
  const even = (edge: number) => Math.ceil(edge / 2) * 2;
  return {
    x: x ?? 0,
    y: y ?? 0,
    width: even(right + window.scrollX) - (x ?? 0),
    height: even(bottom + window.scrollY) - (y ?? 0),
  };
}
