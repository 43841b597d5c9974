import { rmSync } from 'node:fs';
import path from 'node:path';
import { hashOfSources, sandbox, writeStamp } from './lib/prepare.mjs';
import { root, run } from './lib/run.mjs';

// packages/sandbox/dist: the sandbox, the launcher, and every e-mail of the built product with sample data to look at.
const dist = path.join(root, 'packages/sandbox/dist');
const builtFrom = hashOfSources(sandbox);
rmSync(dist, { recursive: true, force: true });
await run('npx', ['tsc', '-p', 'packages/sandbox/tsconfig.build.json']);
await run(process.execPath, ['dist/emails/preview-main.js', path.join(dist, 'email-previews')]);
writeStamp(sandbox, builtFrom);
