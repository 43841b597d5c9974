import { ensureInstalled } from './lib/prepare.mjs';

// `node scripts/ensure-installed.mjs bench/lighthouse`: installs a tool that has a lock file of its own, on first use.
await ensureInstalled(process.argv[2]);
