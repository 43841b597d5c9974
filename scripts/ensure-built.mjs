import { ensureBuilt } from './lib/prepare.mjs';

await ensureBuilt();
