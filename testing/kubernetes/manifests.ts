import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { PodTemplateSpec, Service } from 'kubernetes-types/core/v1.js';
import type { LabelSelector, ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { parse, parseAllDocuments } from 'yaml';

export const folder = path.resolve(import.meta.dirname, '../../deploy/kubernetes');

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta & { name: string };
}

/** A Deployment or a Job: both create pods. */
export interface Workload extends Manifest {
  spec: { template: PodTemplateSpec; selector?: LabelSelector };
}

interface Kinds {
  Deployment: Workload;
  Job: Workload;
  Service: Manifest & Service;
  Ingress: Manifest & Ingress;
  NetworkPolicy: Manifest & NetworkPolicy;
  HorizontalPodAutoscaler: Manifest & HorizontalPodAutoscaler;
  PodDisruptionBudget: Manifest & PodDisruptionBudget;
}

interface Kustomization {
  resources: string[];
  configMapGenerator: { name: string; envs: string[] }[];
}

export function readKustomization(layer: 'base' | 'production'): Kustomization {
  return parse(readText(`${layer}/kustomization.yaml`)) as Kustomization;
}

/** The objects of the kustomizations, before settings and image are filled in. */
export function readManifests(): Manifest[] {
  return (['base', 'production'] as const).flatMap((layer) =>
    readKustomization(layer)
      .resources.filter((file) => file.endsWith('.yaml'))
      .flatMap((file) => parseManifests(readText(`${layer}/${file}`))),
  );
}

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

export function ofKind<Kind extends keyof Kinds>(manifests: Manifest[], kind: Kind): Kinds[Kind][] {
  return manifests.filter((manifest) => manifest.kind === kind) as Kinds[Kind][];
}

/** The settings of a file, as `kubectl create secret --from-env-file` and kustomize read it. */
export function readSettings(file: string): Record<string, string> {
  const lines = readText(file).split('\n');
  const set = lines.filter((line) => line && !line.startsWith('#'));
  return Object.fromEntries(
    set.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Every setting that a file names, including in comments. */
export function namedSettings(file: string): string[] {
  return [...readText(file).matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name as string);
}

export function yamlFiles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
}

export function readText(file: string): string {
  return readFileSync(path.join(folder, file), 'utf8');
}
