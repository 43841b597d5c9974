import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// What holds for every source at once.

const root = path.resolve(import.meta.dirname, '..');
const product = filesIn(
  'core',
  'db',
  'infra',
  'providers',
  'orders',
  'emails',
  'api',
  'worker',
  'ops',
  'web',
);

/** Expressions that stand for names or constants of ours, never for values of a request. */
const namesInSql = [
  ...['definition', 'jobIsDead', 'name', 'anonymized'],
  ...['found', 'sql', 'remove', 'table', 'isDue', 'since'],
];
/** Our constants, and what our functions make of literals. */
const constantInSql = /^(?:[A-Z_]+(?: \+ 1)?|\w+\(\s*'[^']*',?\s*\))$/;

test('no request value is interpolated into SQL', () => {
  const calls = product.flatMap(({ text }) => [
    ...text.matchAll(
      /\b(?:raw|whereRaw|orWhereRaw|havingRaw|orderByRaw|joinRaw|query)(?:<[^()]*>)?\(\s*`([^`]*)`/g,
    ),
  ]);
  const written = calls.flatMap(([, sql = '']) =>
    [...sql.matchAll(/\$\{([^}]*)\}/g)].map(([, name]) => name),
  );
  expect(written.filter((name = '') => !namesInSql.includes(name) && !constantInSql.test(name))).toEqual([]);
});

test('every certificate is verified', () => {
  expect(
    placesOf(product, /rejectUnauthorized: *false|NODE_TLS_REJECT_UNAUTHORIZED['"]?\]? *= *(?!=)/),
  ).toEqual([]);
});

test('no page listens to messages from other windows', () => {
  const pages = product.filter(({ file }) => file.startsWith('web/'));
  expect(placesOf(pages, /addEventListener\(['"]message['"]|\.onmessage\b|postMessage\(/)).toEqual([]);
});

test('no secret is made by Math.random', () => {
  const secrets = product.filter(
    ({ text }) => /Math\.random/.test(text) && /randomUUID|randomBytes|token/i.test(text),
  );
  expect(secrets.map(({ file }) => file)).toEqual(['providers/paypal/client.ts']);
});

test('the container image, the tests and .nvmrc name one major version of Node.js', () => {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const tested: { optionalDependencies: Record<string, string> } = JSON.parse(
    read('testing/node/package.json'),
  );
  const named = [
    /^FROM node:(\d+)/m.exec(read('Dockerfile'))?.[1],
    ...Object.values(tested.optionalDependencies).map((version) => version.split('.')[0]),
  ];
  expect(new Set(named)).toEqual(new Set([read('.nvmrc').trim()]));
});

test('the repository contains no key that could be real', () => {
  const real =
    /(?:sk|rk)_live_\w{16}|whsec_[A-Za-z0-9+/]{32}|AKIA[0-9A-Z]{16}|BEGIN (?:RSA |EC )?PRIVATE KEY/;
  expect(
    placesOf(
      filesIn('.').filter(({ file }) => file !== 'testing/repository.test.ts'),
      real,
    ),
  ).toEqual([]);
});

test('what runs in production imports every production dependency, and no other package', () => {
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const atRunTime = product
    .filter(({ file }) => /\.tsx?$/.test(file) && !file.startsWith('web/'))
    .flatMap(({ file, text }) => [
      // Compiled to imports of React's JSX runtime.
      ...(file.endsWith('.tsx') ? ['react'] : []),
      ...[
        ...text.matchAll(
          /^(?:import|export) (?!type )[^;]*?from '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gm,
        ),
      ].map(([, name = '', dynamic = '']) => name || dynamic),
    ])
    .filter((name) => !name.startsWith('node:'))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  expect([...new Set(atRunTime)].sort()).toEqual(Object.keys(dependencies).sort());
});

interface Source {
  file: string;
  text: string;
}

/** Tracked text files, for folders of the product without tests. */
function filesIn(...folders: string[]): Source[] {
  return execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(tsx?|mjs|json|ya?ml|md|html|css)$|\.env/.test(file))
    .filter((file) => folders.includes('.') || !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

function placesOf(sources: Source[], pattern: RegExp): string[] {
  return sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
}
