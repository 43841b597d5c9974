import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './lib/run.mjs';

// Proves that biome.layers.json allows exactly the imports in the table of docs/architecture.md: lints a scratch
// tree that holds every possible import between two layers, at two depths.

const table = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8').matchAll(
  /^\| `([a-z/]+)\/` +\|[^|]*\| ([^|]*?) *\|$/gm,
);
const allowed = new Map(
  [...table].map(([, layer, cell]) => [layer, [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name)]),
);
const layers = [...allowed.keys()];
if (layers.length === 0) throw new Error('docs/architecture.md has no table of layers');
const tree = mkdtempSync(path.join(tmpdir(), 'querywright-layers-'));
const expected = new Map();

for (const layer of layers) {
  for (const target of [...layers, 'testing', 'bench', 'e2e', 'scripts'].filter((name) => name !== layer)) {
    const refused = !allowed.get(layer).includes(target);
    for (const folder of [layer, `${layer}/nested`]) {
      const file = `${folder}/imports-${target.replace('/', '-')}.ts`;
      probe(file, path.posix.relative(folder, `${target}/thing.ts`), refused && 'noRestrictedImports');
    }
  }
}
for (const [layer, name] of [
  ['core', 'express'],
  ['api', '@querywright/sandbox/testing'],
  ['web', '@querywright/sandbox/testing'],
  ['db', 'bullmq'],
  ['infra', 'stripe'],
  ['providers', 'pg'],
  ['orders', 'stripe'],
  ['orders', '@paypal/paypal-server-sdk'],
  ['orders', 'express'],
  ['orders', 'knex'],
  ['emails', 'knex'],
  ['api', 'knex'],
  ['worker', 'stripe'],
  ['ops', 'pg'],
]) {
  probe(`${layer}/uses-${name.replaceAll('/', '-')}.ts`, name, 'noRestrictedImports');
}
for (const [file, specifier, rule] of [
  ['providers/stripe/a.ts', '../paypal/b.ts', 'noRestrictedImports'],
  ['providers/stripe/b.ts', '../gateway.ts'],
  ['providers/stripe/c.ts', '../../core/money.ts'],
  ['providers/stripe/d.ts', '../../db/orders.ts', 'noRestrictedImports'],
  ['providers/stripe/e.ts', 'express', 'noRestrictedImports'],
  ['web/features/order/a.ts', '../checkout/b.ts', 'noRestrictedImports'],
  ['web/features/order/b.ts', '../../lib/api.ts'],
  ['web/features/order/c.ts', '../../../core/money.ts'],
  ['web/features/order/d.ts', '../../../infra/config.ts', 'noRestrictedImports'],
]) {
  probe(file, specifier, rule);
}
probe('core/cycle-a.ts', './cycle-b.ts', 'noImportCycles');
probe('core/cycle-b.ts', './cycle-a.ts', 'noImportCycles');

const wrong = [...lint()].filter(([file, rule]) => expected.get(file) !== rule);
for (const [file, rule] of wrong)
  console.error(`${file}: expected ${expected.get(file) || 'no finding'}, got ${rule || 'none'}`);
console.info(`${expected.size} imports tried: ${wrong.length} judged wrongly`);
rmSync(tree, { recursive: true, force: true });
process.exit(wrong.length === 0 ? 0 : 1);

/** Writes a file with one import, type-only or dynamic, and records the rule that must refuse it. */
function probe(file, specifier, rule) {
  mkdirSync(path.join(tree, path.dirname(file)), { recursive: true });
  const text = file.includes('/nested/')
    ? `export const load = () => import('${specifier}');\n`
    : `import type { X } from '${specifier}';\n\nexport type Y = X;\n`;
  writeFileSync(path.join(tree, file), text);
  expected.set(file, rule || '');
}

/** Lints the tree with the rule file alone; returns the rule that each file breaks, '' if none. */
function lint() {
  const rules = readFileSync(path.join(root, 'biome.layers.json'), 'utf8').replace(/^ *"\$schema".*\n/m, '');
  writeFileSync(path.join(tree, 'biome.json'), rules);
  const biome = path.join(root, 'node_modules/.bin/biome');
  const { stdout } = spawnSync(biome, ['lint', '--reporter=json', '--max-diagnostics=none', '.'], {
    cwd: tree,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const found = new Map([...expected.keys()].map((file) => [file, '']));
  for (const { category, location } of JSON.parse(stdout).diagnostics) {
    const rule = category.split('/').at(-1);
    if (rule.startsWith('noRestricted') || rule.startsWith('noImport'))
      found.set(location.path.replace(/^\.\//, ''), rule);
  }
  return found;
}
