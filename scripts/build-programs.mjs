// Bundles every program of the product with the packages that it uses: loading two thousand small files takes three
// times as long and a third more memory (docs/decisions/0017-bundled-programs.md).
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import remapping from '@jridgewell/remapping';
import { transform } from 'esbuild';
import { build } from 'vite';
import { root } from './lib/run.mjs';
import { rememberFiles, rememberPackages } from './lib/shipped-packages.mjs';
import { keepClosuresYoung } from './lib/young-closures.mjs';

const programs = ['api/main', 'worker/main', 'ops/main', 'ops/migrate', 'emails/preview-main'];
// Drivers of other databases, which knex and pg would load if they were asked to.
const otherDrivers =
  /^(?:better-sqlite3|mariadb|mysql2?|oracledb|pg-native|pg-query-stream|sqlite3|tedious)(?:\/|$)/;

// Whatever the environment says, which is not production while building: development JSX needs another React.
process.env.NODE_ENV = 'production';
const built = await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      external: otherDrivers,
      // The queue dashboard calls eval, with a path that we give it.
      checks: { eval: false },
      input: Object.fromEntries(programs.map((name) => [name, path.join(root, `${name}.ts`)])),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        codeSplitting: { groups: [{ name: chunkOf, debugName: 'packages' }] },
      },
    },
  },
});
for (const chunk of built.output) if (chunk.type === 'chunk') await shrink(chunk);

// The queue dashboard reads its pages from a folder (infra/queue-dashboard.ts).
const dashboard = path.join(root, 'node_modules/@bull-board/ui/dist');
cpSync(dashboard, path.join(root, 'dist/queue-dashboard/dist'), { recursive: true });
rememberFiles([dashboard]);
rememberPackages(built);

/**
 * One chunk per package: a program loads those that it uses. A chunk would include what its package imports, so that of the
 * queue dashboard, which is loaded on first use, would include the queue.
 */
function chunkOf(id) {
  return id.includes('/node_modules/@bull-board/') ? undefined : packageOf(id);
}

function packageOf(id) {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1].replace('/', '-');
}

/**
 * V8 keeps the source of every loaded script, in two bytes per character if any of them is not Latin-1: it was half of a
 * started process's heap. So whitespace is stripped and other characters are escaped; names and short lines are kept for stack
 * traces. With --enable-source-maps a process keeps every map in memory too: those of packages take 30 MiB.
 */
async function shrink({ fileName, moduleIds }) {
  const file = path.join(root, 'dist', fileName);
  const mapFile = `${file}.map`;
  const source = readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  const young = keepClosuresYoung(source);
  const isOurs = existsSync(mapFile) && !moduleIds.every(packageOf);
  const { code, map } = await transform(young.toString() + (isOurs ? inlined(mapOf(young, mapFile)) : ''), {
    charset: 'ascii',
    legalComments: 'inline',
    lineLimit: 160,
    minifyWhitespace: true,
    sourcemap: isOurs && 'external',
    target: 'node20',
  });
  if (keepClosuresYoung(code).hasChanged()) throw new Error(`${fileName}: esbuild has removed a comma`);
  writeFileSync(file, isOurs ? `${code}//# sourceMappingURL=${path.basename(mapFile)}\n` : code);
  if (isOurs) writeFileSync(mapFile, map);
  else rmSync(mapFile, { force: true });
}

/** The map of the changed code to the sources, to which `mapFile` leads from the code before the change. */
function mapOf(changed, mapFile) {
  const maps = [changed.generateMap({ hires: 'boundary' }), JSON.parse(readFileSync(mapFile, 'utf8'))];
  return remapping(maps, () => null).toString();
}

function inlined(map) {
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
}
