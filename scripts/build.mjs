import { rmSync } from 'node:fs';
import path from 'node:path';
import { root, run } from './lib/prepare.mjs';

// dist/: the servers as plain JavaScript, and the site with every public page rendered ahead of time.
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
run('npx', ['tsc', '-p', 'tsconfig.build.json']);
run('npm', ['run', '--silent', '--if-present', 'build:web']);
