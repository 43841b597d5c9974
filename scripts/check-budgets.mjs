// Holds the built pages to their size budgets: what a first visit downloads before any interaction, as the server sends it
// (brotli for text). Run after `npm run build:web`.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { subsetCharacters } from '../web/subset-fonts.mjs';

const KIB = 1024;
const home = { script: 85 * KIB, font: 25 * KIB, all: 125 * KIB };
/** Pages with forms may load their code, but none may grow unnoticed. */
const others = { script: 135 * KIB, font: 25 * KIB, all: 160 * KIB };
/** Code that only a payment needs: no page may load it up front. */
const onDemand = /stripe-payment|paypal-payment|card-form|toast-region|account-menu/;

const web = path.resolve(import.meta.dirname, '../dist/web');
const files = (await readdir(path.join(web, 'pages'), { recursive: true })).filter((file) =>
  file.endsWith('.html'),
);
const subset = await subsetCharacters();
const problems = [];
const table = [];

for (const file of files.sort()) {
  const html = await readFile(path.join(web, 'pages', file), 'utf8');
  const sizes = await measure(html);
  const limits = file === 'index.html' ? home : others;
  for (const [kind, limit] of Object.entries(limits)) {
    if (sizes[kind] > limit) problems.push(`${file}: ${kind} ${inKib(sizes[kind])}, allowed ${inKib(limit)}`);
  }
  for (const asset of assetsOf(html)) {
    if (onDemand.test(asset)) problems.push(`${file} asks for ${asset} up front`);
  }
  const rare = textOf(html).filter((one) => !subset.has(one));
  if (rare.length > 0) problems.push(`${file} fetches a whole font for ${rare.join(' ')}`);
  table.push({
    page: file,
    ...Object.fromEntries(Object.entries(sizes).map(([kind, size]) => [kind, inKib(size)])),
  });
}

for (const row of table)
  console.info(
    Object.values(row)
      .map((cell) => cell.padEnd(12))
      .join(' '),
  );
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

async function measure(html) {
  const sizes = { script: 0, style: 0, font: 0, html: brotliCompressSync(html).length, all: 0 };
  for (const asset of assetsOf(html)) {
    const kind = asset.endsWith('.js') ? 'script' : asset.endsWith('.css') ? 'style' : 'font';
    const sent = kind === 'font' ? asset : `${asset}.br`;
    sizes[kind] += (await stat(path.join(web, 'static', sent))).size;
  }
  sizes.all = sizes.script + sizes.style + sizes.font + sizes.html;
  return sizes;
}

/** Everything under /assets/ that the page names: its scripts with their imports, its style, its fonts. */
function assetsOf(html) {
  return new Set([...html.matchAll(/"(\/assets\/[^"]+)"/g)].map((match) => match[1]));
}

function textOf(html) {
  return [...new Set(html.replace(/<script.*?<\/script>|<[^>]+>|\s/gs, ''))];
}

function inKib(size) {
  return `${(size / KIB).toFixed(1)} KiB`;
}
