import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { findOnPath } from '../services/debian.ts';
import { folder, type Manifest, ofKind, parseManifests, readManifests } from './manifests.ts';
import { misfits } from './schema.ts';

// Builds the production overlay with kubectl, as `kubectl apply -k` does, and checks the result: npm run test:kubernetes

if (!findOnPath('kubectl')) {
  console.error('Missing: kubectl (Debian: apt-get install kubernetes-client; 1.21 or newer)');
  process.exit(1);
}
const rendered = parseManifests(
  execFileSync('kubectl', ['kustomize', path.join(folder, 'production')], { encoding: 'utf8' }),
);
const problems = [...misfits(rendered).split('\n').filter(Boolean), ...missing(), ...unresolved()];
for (const problem of problems) console.error(`PROBLEM ${problem}`);
console.info(`${rendered.length} objects: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

/** Objects that are missing or in another namespace. */
function missing(): string[] {
  const name = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
  const found = rendered.map(name);
  const elsewhere = rendered.filter(
    ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'querywright',
  );
  return [
    ...readManifests()
      .map(name)
      .filter((wanted) => !found.includes(wanted))
      .map((lost) => `${lost} is missing`),
    ...elsewhere.map((manifest) => `${name(manifest)} is in another namespace`),
  ];
}

/** Images and settings that the kustomization did not fill in. */
function unresolved(): string[] {
  const settings = rendered.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
  if (settings.length !== 1 || !/^settings-\w+$/.test(settings[0] ?? ''))
    return [`the settings are in ${settings.join(', ') || 'no ConfigMap'}`];
  return [...ofKind(rendered, 'Deployment'), ...ofKind(rendered, 'Job')].flatMap((workload) =>
    (workload.spec.template.spec?.containers ?? []).flatMap(({ image, envFrom }) => [
      ...(image === 'registry.example/querywright:1.0.0' ? [] : [`${workload.metadata.name} runs ${image}`]),
      ...(envFrom?.[0]?.configMapRef?.name === settings[0]
        ? []
        : [`${workload.metadata.name} has other settings`]),
    ]),
  );
}
