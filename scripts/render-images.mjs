// Draws the share image and the icons from web/images/*.html into web/public. The PNGs are kept in the repository,
// so that a build needs no browser; run this after changing their sources.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { register } from 'tsx/esm/api';

register();
const { chromiumPath } = await import('@querywright/sandbox/testing/chromium');
const { services } = await import('../core/catalogue.ts');
const { formatPrice } = await import('../core/money.ts');
const { serviceOverviews } = await import('../web/content/service-overview.ts');

const top = path.resolve(import.meta.dirname, '..');
const fonts = {
  '/fonts/geist.woff2': 'node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  '/fonts/geist-mono.woff2':
    'node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
};
const images = [
  { file: 'share.png', source: 'share.html', width: 1200, height: 630 },
  ...services.map((service) => ({
    file: `share-${service.slug}.png`,
    source: `share-service.html?${factsOf(service)}`,
    width: 1200,
    height: 630,
  })),
  { file: 'apple-touch-icon.png', source: 'icon.html', width: 180, height: 180, filled: true },
  { file: 'icon-192.png', source: 'icon.html', width: 192, height: 192, filled: true },
  { file: 'icon-512.png', source: 'icon.html', width: 512, height: 512, filled: true },
  { file: 'icon-maskable-512.png', source: 'icon.html', width: 512, height: 512, filled: true },
];

const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  await page.route('http://images.invalid/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ path: path.join(top, fonts[pathname] ?? `web/images${pathname}`) });
  });
  for (const image of images)
    await writeFile(path.join(top, 'web/public', image.file), await draw(page, image));
  const small = await draw(page, { source: 'icon.html', width: 32, height: 32 });
  await writeFile(path.join(top, 'web/public/favicon.ico'), icoOf(small, 32));
} finally {
  await browser.close();
}

async function draw(page, { source, width, height, filled = false }) {
  await page.setViewportSize({ width, height });
  await page.goto(`http://images.invalid/${source}`);
  await page.evaluate(async (fill) => {
    document.body.classList.toggle('filled', fill);
    await document.fonts.ready;
  }, filled);
  return page.screenshot({ omitBackground: !filled });
}

function factsOf({ slug, name, description, price, supportDays }) {
  const timeline = serviceOverviews[slug].timeline.replace(/,.*| depending.*| with.*/, '');
  return new URLSearchParams({
    name,
    description,
    price: formatPrice(price),
    timeline,
    support: `${supportDays} days`,
  });
}

/** An ICO file is a 6-byte head, a 16-byte entry, and the PNG itself. */
function icoOf(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
