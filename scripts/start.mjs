import path from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root } from './lib/prepare.mjs';

// `npm start`: installs and builds what is missing, then hands over to the launcher in this same process.
process.chdir(root);
requireNode();
ensureInstalled();
ensureBuilt();
await import(path.join(root, 'dist/sandbox/launcher/main.js'));
