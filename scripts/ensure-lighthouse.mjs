import { ensureInstalled } from './lib/prepare.mjs';

await ensureInstalled('bench/lighthouse');
