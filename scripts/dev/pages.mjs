import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createServer } from 'vite';
import { devServer } from '../../web/vite.config.mjs';

const servers = ['core', 'db', 'infra', 'providers', 'orders', 'emails', 'api', 'worker'];
const SETTLE_MS = 100;

/** Vite's server for the pages; a change to a server's source restarts the servers. */
export async function servePages({ port, apiUrl, restart }) {
  const vite = await createServer(devServer({ port, apiUrl, plugins: [renderedPages(port)] }));
  await vite.listen();
  vite.watcher.add(servers.concat('packages/sandbox').map((folder) => path.resolve(folder)));
  const pending = new Set();
  let timer;
  vite.watcher.on('all', (_event, file) => {
    const folder = path.relative('.', file).split(path.sep)[0];
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file)) return;
    if (folder === 'packages') pending.add('sandbox');
    else if (servers.includes(folder)) pending.add('web').add('worker');
    clearTimeout(timer);
    timer = setTimeout(() => {
      restart(...pending);
      pending.clear();
    }, SETTLE_MS);
  });
  return vite;
}

/** Renders each page on request, as the build does, so that hydration is the same. */
function renderedPages(port) {
  return {
    name: 'rendered-pages',
    configureServer(vite) {
      return () => {
        vite.middlewares.use(async (req, res, next) => {
          try {
            const url = req.originalUrl ?? '/';
            const { headOf, notFoundPage, pages, PUBLIC_URL, renderPage } =
              await vite.ssrLoadModule('/entry-server.tsx');
            const address = url.replace(/[?#].*/, '');
            if (/^\/desk(\/|$)/.test(address)) {
              // Staff only, as in production.
              const desk = await readFile(path.join(vite.config.root, 'desk.html'), 'utf8');
              res.setHeader('content-type', 'text/html; charset=utf-8');
              return res.end(await vite.transformIndexHtml(url, desk));
            }
            const page = pages.find(({ path: known }) => known === address) ?? notFoundPage;
            const template = await readFile(path.join(vite.config.root, 'index.html'), 'utf8');
            const markup = await renderPage(page.path);
            const html = (await vite.transformIndexHtml(url, template))
              .replace('<!--head-->', () => headOf(page))
              .replace('<!--app-->', () => markup)
              .replace('__SITE_MODE__', 'sandbox')
              .replace('__ORDER_SUMMARY__', '')
              .replaceAll(PUBLIC_URL, `http://localhost:${port}`);
            res.statusCode = page === notFoundPage ? 404 : 200;
            res.setHeader('content-type', 'text/html; charset=utf-8');
            res.end(html);
          } catch (error) {
            vite.ssrFixStacktrace(error);
            next(error);
          }
        });
      };
    },
  };
}
