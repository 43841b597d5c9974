import path from 'node:path';
import { packageFolder } from '../package-folder.ts';
import { launch } from './launch.ts';

// The second half of `npm start` (the first is scripts/start.mjs): the built programs.
const product = path.resolve('dist');

await launch(() => ({
  release: path.join(product, 'ops/migrate.js'),
  programs: [
    { name: 'sandbox', script: path.join(packageFolder, 'dist/main.js') },
    { name: 'worker', script: path.join(product, 'worker/main.js') },
    { name: 'web', script: path.join(product, 'api/main.js') },
  ],
}));
