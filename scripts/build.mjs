import { rmSync } from 'node:fs';
import path from 'node:path';
import { root, run } from './lib/run.mjs';

// dist/: the programs, each bundled with the packages that it uses, and the site with every public page rendered ahead
// of time.
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
await run('node', ['scripts/build-programs.mjs']);
await run('npm', ['run', '--silent', '--if-present', 'build:web']);
