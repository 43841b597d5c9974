import { ensureInstalled, requireNode } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

// `npm run dev`: the sources, with hot reload of the pages and restarted servers. Builds nothing.
process.chdir(root);
requireNode();
await ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
const { develop } = await import('./dev/develop.mjs');
await develop();
