import { rmSync } from 'node:fs';
import path from 'node:path';
import { root, run } from './lib/run.mjs';

// dist/: the servers as plain JavaScript, and the site with every public page rendered ahead of time.
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
await run('npx', ['tsc', '-p', 'tsconfig.build.json']);
await run('npm', ['run', '--silent', '--if-present', 'build:web']);
