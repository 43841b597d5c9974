import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './lib/run.mjs';

// Proves that the import rules of biome.json bite: each of these files must be refused by the lint.

const violations = {
  core: '../db/orders.ts',
  db: '../infra/config.ts',
  infra: '../api/app.ts',
  api: '../worker/worker.ts',
  worker: '../api/app.ts',
  ops: '../api/app.ts',
  web: '../infra/config.ts',
  sandbox: '../infra/config.ts',
};

let unnoticed = 0;
for (const [room, target] of Object.entries(violations)) {
  const file = path.join(root, room, 'import-rule-probe.ts');
  writeFileSync(file, `import * as forbidden from '${target}';\n\nexport const probe = forbidden;\n`);
  try {
    const { stdout } = spawnSync('npx', ['biome', 'lint', '--reporter=json', file], {
      cwd: root,
      encoding: 'utf8',
    });
    if (stdout.includes('noRestrictedImports')) continue;
    console.error(`${room} may import ${target}, which it must not`);
    unnoticed++;
  } finally {
    rmSync(file, { force: true });
  }
}
console.info(`${Object.keys(violations).length} forbidden imports tried, ${unnoticed} unnoticed`);
process.exit(unnoticed === 0 ? 0 : 1);
