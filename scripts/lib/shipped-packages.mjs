import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

const list = path.join(root, 'dist/shipped-packages.json');

/** Remembers the packages whose code or files are in the output of a build. */
export function rememberPackages({ output }) {
  rememberFiles(output.flatMap(({ moduleIds, originalFileNames }) => moduleIds ?? originalFileNames));
}

export function rememberFiles(files) {
  const inPackage = /(?<=^|\/)node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/;
  const known = new Set([...listed(), ...files.flatMap((file) => inPackage.exec(file)?.[0] ?? [])]);
  mkdirSync(path.dirname(list), { recursive: true });
  writeFileSync(list, JSON.stringify([...known].sort()));
}

/** Lists what was remembered, by the names and versions of package-lock.json, as CycloneDX. */
export function writeSbom() {
  const { name, version, packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const components = listed().map((place) => component(place, packages[place]));
  const product = { type: 'application', name, version };
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: product },
    components,
  };
  writeFileSync(path.join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(document, null, 2)}\n`);
  rmSync(list);
}

function component(place, locked) {
  if (!locked) throw new Error(`${place} is shipped, but is not in package-lock.json`);
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const content = Buffer.from(locked.integrity.replace('sha512-', ''), 'base64').toString('hex');
  return {
    type: 'library',
    name,
    version: locked.version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${locked.version}`,
    hashes: [{ alg: 'SHA-512', content }],
    ...(locked.license ? { licenses: [{ expression: locked.license }] } : {}),
  };
}

function listed() {
  try {
    return JSON.parse(readFileSync(list, 'utf8'));
  } catch {
    return [];
  }
}
