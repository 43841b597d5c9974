import { rmSync } from 'node:fs';
import path from 'node:path';
import { hashOfSources, product, writeStamp } from './lib/prepare.mjs';
import { root, run } from './lib/run.mjs';
import { writeSbom } from './lib/shipped-packages.mjs';

// Builds dist/: the programs, each bundled with the packages that it uses, the site with every public page prerendered, and
// a list of all bundled packages. Nothing else is needed to run.
const builtFrom = hashOfSources(product);
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
await run('node', ['scripts/build-programs.mjs']);
await run('npm', ['run', '--silent', '--if-present', 'build:web']);
writeSbom();
writeStamp(product, builtFrom);
