import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export interface Installed {
  /** `name@version` of each. */
  packages: string[];
  sbom: string[];
  /** As the engine counts an image: without the rest of the last block of each file. */
  bytes: number;
}

/** Puts into `folder` what the Dockerfile's last stage copies. Needs a build. */
export function installProduct(folder: string): Installed {
  const inputs = path.join(folder, 'dependencies');
  mkdirSync(inputs);
  for (const file of ['package.json', 'package-lock.json', 'scripts/install-production.sh'])
    copyFileSync(path.join(root, file), path.join(inputs, path.basename(file)));
  execFileSync('sh', ['install-production.sh', '--prefer-offline'], {
    cwd: inputs,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const app = path.join(folder, 'app');
  for (const [from, name] of [
    [inputs, 'node_modules'],
    [inputs, 'sbom.cdx.json'],
    [root, 'dist'],
    [root, 'package.json'],
  ] as const)
    cpSync(path.join(from, name), path.join(app, name), { recursive: true, verbatimSymlinks: true });
  return { packages: packagesIn(app), sbom: listedIn(app), bytes: bytesIn(app) };
}

/** The compiled sources that hold something of the sandbox. */
export function filesOfSandbox(app: string): string[] {
  const dist = path.join(app, 'dist');
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .filter(
      (file) =>
        /packages[\\/]sandbox|launcher/.test(file) ||
        readFileSync(path.join(dist, file), 'utf8').includes('@querywright/sandbox'),
    );
}

function packagesIn(app: string): string[] {
  const { packages } = readJson<{ packages: Record<string, { version: string }> }>(
    path.join(app, 'node_modules/.package-lock.json'),
  );
  const names = Object.entries(packages).map(
    ([place, { version }]) => `${place.split('node_modules/').pop()}@${version}`,
  );
  return [...new Set(names)].sort();
}

function listedIn(app: string): string[] {
  const { components } = readJson<{ components: { name: string; version: string }[] }>(
    path.join(app, 'sbom.cdx.json'),
  );
  return [...new Set(components.map(({ name, version }) => `${name}@${version}`))].sort();
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
