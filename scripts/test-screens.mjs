// `npm run test:screens`: compares every page and state in five widths and both themes with the pictures of
// testing/screens/pictures. `-- --renew` replaces the pictures instead; look at the changes before a commit.
import { spawnSync } from 'node:child_process';
import { ensureBuilt } from './lib/prepare.mjs';

const others = process.argv.slice(2).filter((argument) => argument !== '--renew');
if (others.length < process.argv.length - 2) process.env.RENEW_SCREENS = '1';
await ensureBuilt();
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'screens', ...others], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
