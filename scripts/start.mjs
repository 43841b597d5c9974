import { ensureBuilt, ensureInstalled, requireNode } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

// `npm start`: installs and builds what is missing, then hands over to the launcher in this same process.
process.chdir(root);
requireNode();
await ensureInstalled();
await ensureBuilt();
await import('@querywright/sandbox/launcher');
