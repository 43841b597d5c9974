// Builds the site into dist/web: `static/` (what may be served as it is), `desk/` (for staff only) and `pages/` (HTML in
// which the API still writes its own address). Every page is rendered here, through the routes that the browser uses.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { browserBuild, deskBuild, prerenderBuild } from '../web/vite.config.mjs';
import { compressFolder } from './compress.mjs';
import { rememberPackages } from './lib/shipped-packages.mjs';

const top = fileURLToPath(new URL('..', import.meta.url));
const out = path.join(top, 'dist/web');

// Whatever the environment says, which is not production while building.
process.env.NODE_ENV = 'production';
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const forNode = await mkdtemp(path.join(out, '.prerender-'));
try {
  rememberPackages(await build(browserBuild()));
  await build(prerenderBuild(forNode));
  await prerender(await import(pathToFileURL(path.join(forNode, 'entry-server.js')).href));
} finally {
  await rm(forNode, { recursive: true, force: true });
}
rememberPackages(await build(deskBuild(path.join(out, 'desk'))));
await rename(path.join(out, 'desk/desk.html'), path.join(out, 'desk/index.html'));
for (const folder of ['static', 'desk/assets']) await compressFolder(path.join(out, folder));

async function prerender({ headOf, notFoundPage, pages, PUBLIC_URL, renderPage }) {
  const template = await withIntegrity(await readFile(path.join(out, 'static/index.html'), 'utf8'));
  const manifest = JSON.parse(await readFile(path.join(out, 'static/.vite/manifest.json'), 'utf8'));
  await rm(path.join(out, 'static/index.html'));
  await rm(path.join(out, 'static/.vite'), { recursive: true });

  for (const page of [...pages, notFoundPage]) {
    const markup = await renderPage(page.path);
    refuseInline(page.path, markup);
    const html = template
      .replace('<!--head-->', () => [headOf(page), ...preloads(manifest, page, markup)].join('\n    '))
      .replace('<!--app-->', () => markup);
    await write(path.join(out, 'pages', page.file), html);
  }
  const listed = pages.filter((page) => page.listed).map((page) => `${PUBLIC_URL}${page.path}`);
  await write(path.join(out, 'sitemap.xml'), sitemap(listed));
  await write(
    path.join(out, 'robots.txt'),
    `User-agent: *\nDisallow: /api/\n\nSitemap: ${PUBLIC_URL}/sitemap.xml\n`,
  );
}

/** Pins the scripts that the page itself names to their content. */
async function withIntegrity(html) {
  let pinned = html;
  for (const [tag, file] of html.matchAll(/<script [^>]*src="\/([^"]+)"/g)) {
    const hash = createHash('sha384')
      .update(await readFile(path.join(out, 'static', file)))
      .digest('base64');
    pinned = pinned.replace(tag, `${tag} integrity="sha384-${hash}"`);
  }
  return pinned;
}

/** Preloads the fonts of the first paint, and names the page's own code. */
function preloads(manifest, page, markup) {
  const assets = Object.values(manifest).flatMap((chunk) => [chunk.file, ...(chunk.assets ?? [])]);
  const needed = (file) =>
    file.includes('-basic') && (!file.includes('mono') || markup.includes('font-mono'));
  const fonts = [...new Set(assets.filter(needed))];
  const code = new Set();
  for (const source of ['start.tsx', sourceOf(page)]) {
    chunksOf(
      manifest,
      Object.values(manifest).find((chunk) => chunk.src === source),
      code,
    );
  }
  return [
    ...fonts.map((file) => `<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin>`),
    // The entry fetches it after the first paint.
    `<script type="application/json" id="page-code">${JSON.stringify([...code].map((file) => `/${file}`))}</script>`,
  ];
}

/** Adds a chunk and everything it imports, but not the entry, which the page names itself. */
function chunksOf(manifest, chunk, found) {
  if (!chunk || chunk.isEntry || found.has(chunk.file)) return;
  found.add(chunk.file);
  for (const key of chunk.imports ?? []) chunksOf(manifest, manifest[key], found);
}

/** `/services/database-audit` → `pages/database-audit.tsx`, `/newsletter/confirm` → `pages/newsletter-confirm.tsx`. */
function sourceOf(page) {
  const name =
    page.path === '/'
      ? 'home'
      : page.path
          .slice(1)
          .replace(/^services\//, '')
          .replaceAll('/', '-');
  return `pages/${name === '404' ? 'not-found' : name}.tsx`;
}

/** Fails the build for a page with an inline script or style, which the security policy forbids. */
function refuseInline(address, markup) {
  const found = /<script(?![^>]*application\/(?:ld\+)?json)|<style|\sstyle="|\son[a-z]+="/i.exec(markup);
  if (found)
    throw new Error(`${address} has something inline: ${markup.slice(found.index, found.index + 120)}`);
}

function sitemap(addresses) {
  const entries = addresses.map((address) => `  <url><loc>${address}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</urlset>\n`;
}

async function write(file, text) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
