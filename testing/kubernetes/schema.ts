import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Manifest } from './manifests.ts';

const modules = path.resolve(import.meta.dirname, '../../node_modules');

/**
 * What violates the schemas of Kubernetes' API. They are checked as types (`kubernetes-types`): unlike the JSON schemas,
 * the compiler rejects unknown fields.
 */
export function misfits(manifests: Manifest[]): string {
  const place = mkdtempSync(path.join(tmpdir(), 'querywright-manifests-'));
  try {
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], module: 'preserve' },
      paths: { 'kubernetes-types/*': [path.join(modules, 'kubernetes-types/*')] },
    };
    writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    writeFileSync(path.join(place, 'manifests.ts'), manifests.map(asConstant).join('\n'));
    const tsc = path.join(modules, '.bin/tsc');
    return spawnSync(tsc, ['-p', place], { encoding: 'utf8' }).stdout;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** `networking.k8s.io/v1` is in `networking/v1`, and `v1` in `core/v1`. */
function asConstant(manifest: Manifest, index: number): string {
  const [version = '', group = 'core'] = manifest.apiVersion.split('/').reverse();
  const type = `import('kubernetes-types/${group.split('.')[0]}/${version}').${manifest.kind}`;
  return `export const ${manifest.kind}${index}: ${type} = ${JSON.stringify(manifest)};`;
}
