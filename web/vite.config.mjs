import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { subsetFonts } from './subset-fonts.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const fromTop = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const fonts = subsetFonts();

/** The router's own production build: its package names the other one only, with warnings for developers. */
const router = fromTop('node_modules/react-router/dist/production');
const productionRouter = {
  'react-router/dom': `${router}/dom-export.mjs`,
  'react-router': `${router}/index.mjs`,
};

function common() {
  return {
    root,
    configFile: false,
    publicDir: fromTop('web/public'),
    plugins: [fonts, react(), tailwindcss()],
    logLevel: 'warn',
  };
}

/** Shared by several pages, but neither by the home page nor by the layout. */
const inner =
  /\/web\/(?:components\/(?:page-intro|call-to-action|get-started-link|process|feature-grid|ui\/(?:check-list|steps|skeleton|select-field|chevron))\.|lib\/(?:checkout-attempt|load-script|selected-service)\.)/;
const shared =
  /\/(?:web\/(?:lib|components|layout|features\/(?:contact|newsletter\/newsletter-form))|core\/(?:money|catalogue))/;

/** Shared by parts that are fetched on demand, with the library behind it. */
const onDemand = /\/web\/components\/ui\/tooltip\./;

/** What several pages use comes in one file: many small ones cost more in requests than they save in bytes. */
const commonParts = {
  name: 'site',
  test: (id) => shared.test(id) && !inner.test(id) && !onDemand.test(id),
  minShareCount: 2,
  priority: 1,
};
const innerParts = { name: 'inner', test: inner, minShareCount: 2 };

/** What every page runs comes in one file, the libraries with it: in pieces it takes 3 KiB more, and loads no earlier. */
const startParts = { name: 'start', test: /\/web\/start\.tsx$/, priority: 2 };

/** The query library and what sets it up, apart: most pages read nothing from the API. */
const queryParts = { name: 'queries', test: /\/web\/lib\/server-state\.|@tanstack/, priority: 1.5 };

/** What checks the API's answers, with the schema library: any one of them needs all of that. */
const contractParts = {
  name: 'contracts',
  test: /\/core\/(?:account|http|orders|services|site-config|text)\./,
};

/** The two newsletter pages share nearly all their code. */
const newsletterParts = { name: 'newsletter', test: /\/newsletter-(?:action|confirm|unsubscribe)\./ };

/** What the entry itself needs stays apart, so that the entry is small and waits for nothing. */
const entryParts = { name: 'entry', test: /browser-storage|early-clicks|preload-helper/, priority: 3 };

/** What the browser downloads: hashed assets, one stylesheet, and a manifest for the prerenderer. */
export function browserBuild() {
  return {
    ...common(),
    resolve: { alias: productionRouter },
    build: {
      outDir: fromTop('dist/web/static'),
      emptyOutDir: true,
      assetsDir: 'assets',
      manifest: true,
      cssCodeSplit: false,
      // Data URIs would need `data:` in the content security policy's font-src.
      assetsInlineLimit: 0,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: fromTop('web/index.html'),
        output: {
          // The start chunk names every other chunk, and hashes do not compress.
          chunkFileNames: 'assets/[name]-[hash:6].js',
          entryFileNames: 'assets/[name]-[hash:6].js',
          codeSplitting: {
            groups: [
              entryParts,
              startParts,
              queryParts,
              commonParts,
              innerParts,
              contractParts,
              newsletterParts,
            ],
          },
        },
      },
    },
  };
}

/** The staff's desk, apart from the site: its addresses are served to staff only. */
export function deskBuild(outDir) {
  return {
    ...common(),
    base: '/desk/',
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: true,
      assetsDir: 'assets',
      assetsInlineLimit: 0,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: fromTop('web/desk.html') },
    },
  };
}

/** The same routes for Node: imported once by the prerenderer, then thrown away. */
export function prerenderBuild(outDir) {
  return {
    ...common(),
    publicDir: false,
    build: {
      outDir,
      ssr: true,
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: { input: fromTop('web/entry-server.tsx') },
    },
  };
}

/** `npm run dev`: the sources with hot reload; everything that is not the site's goes to the API. */
export function devServer({ port, apiUrl, plugins }) {
  const settings = common();
  const toApi = { target: apiUrl, changeOrigin: false };
  return {
    ...settings,
    plugins: [...settings.plugins, ...plugins],
    appType: 'custom',
    server: {
      port,
      strictPort: true,
      proxy: { '/api': toApi, '/readyz': toApi, '/healthz': toApi },
      warmup: {
        clientFiles: ['./entry-client.ts', './start.tsx', './pages/home.tsx'],
        ssrFiles: ['./entry-server.tsx'],
      },
    },
  };
}
