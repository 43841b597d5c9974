// Bundles every program of the product with the packages that it uses: loading two thousand small files takes three
// times as long and a third more memory (docs/decisions/0017-bundled-programs.md).
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { root } from './lib/run.mjs';

const programs = ['api/main', 'worker/main', 'ops/main', 'ops/migrate', 'emails/preview-main'];
// The queue dashboard reads its pages from its own folder; it is loaded when someone first looks at it.
const unbundled = ['@bull-board/api', '@bull-board/express'];
// Drivers of other databases, which knex and pg would load if they were asked to.
const otherDrivers =
  /^(?:better-sqlite3|mariadb|mysql2?|oracledb|pg-native|pg-query-stream|sqlite3|tedious)(?:\/|$)/;

const { output } = await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true, external: unbundled },
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      external: otherDrivers,
      input: Object.fromEntries(programs.map((name) => [name, path.join(root, `${name}.ts`)])),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        codeSplitting: { groups: [{ name: packageOf, debugName: 'packages' }] },
      },
    },
  },
});
for (const chunk of output) if (chunk.moduleIds?.every(packageOf)) dropSourceMap(chunk.fileName);

/** One chunk per package: a program loads those that it uses. */
function packageOf(id) {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1].replace('/', '-');
}

/** With --enable-source-maps a process keeps every map in memory: those of packages take 30 MiB. */
function dropSourceMap(fileName) {
  const file = path.join(root, 'dist', fileName);
  rmSync(`${file}.map`, { force: true });
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
}
