import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Container, Probe } from 'kubernetes-types/core/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../infra/config.ts';
import { connectionsPerProcess } from '../../infra/connection-budget.ts';
import { environment } from '../../infra/environment.ts';
import * as files from './manifests.ts';
import { misfits } from './schema.ts';

const manifests = files.readManifests();
const deployments = files.ofKind(manifests, 'Deployment');
const workloads = [...deployments, ...files.ofKind(manifests, 'Job')];
const settings = {
  ...files.readSettings('base/settings.env'),
  ...files.readSettings('production/settings.env'),
};

test('every object matches the schema of its API', () => {
  expect(misfits(manifests)).toBe('');
}, 60_000);

test.each([
  ['unknown field', 'imagePulPolicy', { imagePulPolicy: 'Always' }],
  ['wrong type', "Type 'string' is not assignable to type 'boolean | undefined'", { tty: 'yes' }],
  ['missing field', "Property 'name' is missing", { name: undefined }],
])(
  'an invalid object does not match: %s',
  (_, complaint, mistake) => {
    const [web] = structuredClone(deployments);
    if (!web) throw new Error('There is no Deployment');
    Object.assign(onlyContainer(web), mistake);
    expect(misfits([web])).toContain(complaint);
  },
  60_000,
);

test('the kustomizations list every file and generate their settings', () => {
  const listed = (['base', 'production'] as const).flatMap((layer) => {
    const { resources, configMapGenerator } = files.readKustomization(layer);
    expect(configMapGenerator).toMatchObject([{ name: 'settings', envs: ['settings.env'] }]);
    return resources.filter((file) => file !== '../base').map((file) => `${layer}/${file}`);
  });
  const objects = files.yamlFiles().filter((file) => /\/(?!kustomization)/.test(file));
  expect(listed.sort()).toEqual(objects.sort());
});

describe('settings', () => {
  const secret = 'secrets.env.example';
  const places = ['base/settings.env', 'production/settings.env', secret];

  test('every production setting has one place, and no other setting is named', () => {
    const named = places.flatMap(files.namedSettings);
    const notInProduction = /^(SANDBOX_|RATE_LIMITS$|CRASH_AT$|NODE_TLS_REJECT_UNAUTHORIZED$|LOG_FORMAT$)/;
    const known = Object.keys(environment.shape).filter((name) => !notInProduction.test(name));
    expect(named.sort()).toEqual(known.sort());
  });

  test('with the secrets filled in they are a valid production configuration', () => {
    const filledIn = {
      DATABASE_URL: 'postgres://qw_app:pw@db.example:5432/querywright?sslmode=verify-full',
      REDIS_URL: 'rediss://:pw@redis.example:6379',
      SESSION_SECRET: 'kq8Z1vT5yW0rB7nX3mC9sD2fG6hJ4pLa',
      METRICS_TOKEN: 'v7Q2zR9wK4tY1mN8',
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_8Jq2Zr5Wv1Ty7Nb3Mx9Cd4Fg',
      PAYPAL_CLIENT_ID: 'id',
      PAYPAL_CLIENT_SECRET: 'client secret',
      PAYPAL_WEBHOOK_ID: '7WEBHOOK',
      OIDC_CLIENT_SECRET: 'openid secret',
      SMTP_URL: 'smtp://user:pw@mail.example:587',
    };
    expect(Object.keys(filledIn).sort()).toEqual(Object.keys(files.readSettings(secret)).sort());
    expect(readConfig({ ...settings, ...filledIn })).toMatchObject({ production: true });
    const { DATABASE_URL: _, ...lacking } = filledIn;
    expect(() => readConfig({ ...settings, ...lacking })).toThrow('DATABASE_URL is not set');
  });

  test('secrets are referenced, never contained', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    for (const workload of workloads)
      expect(onlyContainer(workload).envFrom).toEqual([
        { configMapRef: { name: 'settings' } },
        { secretRef: { name: 'querywright' } },
      ]);
  });

  test('only the release step has the database owner’s credentials', () => {
    for (const deployment of deployments) expect(onlyContainer(deployment).env).toBeUndefined();
    const [release] = files.ofKind(manifests, 'Job');
    expect(release && onlyContainer(release).env).toEqual([
      {
        name: 'DATABASE_URL',
        valueFrom: { secretKeyRef: { name: 'querywright-owner', key: 'DATABASE_URL' } },
      },
      { name: 'LISTEN_DATABASE_URL', value: '' },
    ]);
  });

  test('the site is served under its own name', () => {
    const host = new URL(settings.PUBLIC_URL ?? '').host;
    const [ingress] = files.ofKind(manifests, 'Ingress');
    expect(ingress?.spec?.rules?.map((rule) => rule.host)).toEqual([host]);
    expect(ingress?.spec?.tls?.flatMap(({ hosts }) => hosts)).toEqual([host]);
  });

  test('at full scale and during a rollout the processes fit into PostgreSQL’s connection limit', () => {
    const config = readConfig({ ...settings, NODE_ENV: 'test', DATABASE_URL: 'postgres://localhost/x' });
    const each = connectionsPerProcess({ ...config, redisUrl: 'rediss://redis.example' });
    const most = (name: string) =>
      files.ofKind(manifests, 'HorizontalPodAutoscaler').find(({ metadata }) => metadata.name === name)?.spec
        ?.maxReplicas ?? Number.NaN;
    const release = 3;
    const demand = (most('web') + 1) * each.web + (most('worker') + 1) * each.worker + release;
    // 100, of which 3 are kept for superusers.
    expect(demand).toBeLessThanOrEqual(97);
  });
});

describe('as with docker-compose.yml', () => {
  const composeFile = path.resolve(import.meta.dirname, '../../docker-compose.yml');
  const compose = parse(readFileSync(composeFile, 'utf8'), { merge: true }) as {
    services: Record<string, ComposeService>;
  };

  test.each(workloads)('$metadata.name: command, memory and signal', (workload) => {
    const service = compose.services[workload.metadata.name];
    const container = onlyContainer(workload);
    expect(container.command).toEqual(service?.command);
    expect(`${service?.mem_limit}i`.replace('m', 'M')).toBe(container.resources?.limits?.memory);
    const grace = workload.spec.template.spec?.terminationGracePeriodSeconds ?? 30;
    expect(grace).toBeGreaterThanOrEqual(Number.parseInt(service?.stop_grace_period ?? '', 10));
  });

  test.each(deployments)('$metadata.name: the same liveness address and timeout', (deployment) => {
    const check = compose.services[deployment.metadata.name]?.healthcheck.test.join(' ') ?? '';
    const { livenessProbe, startupProbe } = onlyContainer(deployment);
    for (const probe of [livenessProbe, startupProbe]) {
      expect(check).toContain(`127.0.0.1/${portOf(deployment, probe)}`);
      expect(check).toContain(`GET ${probe?.httpGet?.path} `);
    }
    expect(check).toContain(`read -rt ${livenessProbe?.timeoutSeconds} `);
  });
});

test.each(deployments)('$metadata.name: readiness is /readyz, on a configured port', (deployment) => {
  const container = onlyContainer(deployment);
  const operators = Number(settings.METRICS_PORT) + (deployment.metadata.name === 'worker' ? 1 : 0);
  const site =
    deployment.metadata.name === 'web' ? [{ name: 'http', containerPort: Number(settings.PORT) }] : [];
  expect(container.ports).toEqual([...site, { name: 'metrics', containerPort: operators }]);
  expect(container.readinessProbe?.httpGet?.path).toBe('/readyz');
  expect(portOf(deployment, container.readinessProbe)).toBe(site[0]?.containerPort ?? operators);
});

test('a stopping web process has time to drain and stop, and drains for longer than its probe’s period', () => {
  const STOP_SECONDS = 10;
  const web = deployments.find(({ metadata }) => metadata.name === 'web');
  const drain = Number(settings.DRAIN_SECONDS);
  expect(web?.spec.template.spec?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + STOP_SECONDS);
  const probe = web && onlyContainer(web).readinessProbe;
  expect(drain).toBeGreaterThan((probe?.periodSeconds ?? 10) * (probe?.failureThreshold ?? 3));
});

test.each(workloads)('$metadata.name: no root, no capabilities, only /tmp is writable', (workload) => {
  const pod = workload.spec.template.spec;
  const container = onlyContainer(workload);
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(container.volumeMounts).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
  expect(container.resources?.requests).toMatchObject({
    memory: expect.any(String),
    cpu: expect.any(String),
  });
});

test('every selector finds pods, and every autoscaler and budget its Deployment', () => {
  const selectors: (LabelSelector | undefined)[] = [
    ...deployments.map(({ spec }) => spec.selector),
    ...files.ofKind(manifests, 'Service').map(({ spec }) => ({ matchLabels: spec?.selector ?? {} })),
    ...files.ofKind(manifests, 'PodDisruptionBudget').map(({ spec }) => spec?.selector),
    ...files.ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec?.podSelector),
  ];
  expect(selectors.length).toBeGreaterThan(9);
  for (const selector of selectors)
    expect(workloads.filter((workload) => finds(selector, workload))).not.toEqual([]);
  for (const kind of ['HorizontalPodAutoscaler', 'PodDisruptionBudget'] as const)
    expect(files.ofKind(manifests, kind).map(({ metadata }) => metadata.name)).toEqual(['web', 'worker']);
  for (const deployment of deployments) expect(deployment.spec).not.toHaveProperty('replicas');
});

test('workers scale by a metric that the product reports and the adapter passes on', () => {
  const worker = files
    .ofKind(manifests, 'HorizontalPodAutoscaler')
    .find(({ metadata }) => metadata.name === 'worker');
  const name = worker?.spec?.metrics?.find(({ type }) => type === 'External')?.external?.metric.name ?? '';
  expect(files.readText('prometheus-adapter.yaml')).toContain(`seriesQuery: '${name}{`);
  const gauges = readFileSync(path.resolve(import.meta.dirname, '../../infra/metrics-gauges.ts'), 'utf8');
  expect(gauges).toContain(`name: '${name}'`);
});

interface ComposeService {
  command: string[];
  mem_limit: string;
  stop_grace_period: string;
  healthcheck: { test: string[] };
}

function onlyContainer(workload: files.Workload): Container {
  const containers = workload.spec.template.spec?.containers ?? [];
  const [container] = containers;
  if (!container || containers.length > 1)
    throw new Error(`${workload.metadata.name} has ${containers.length} containers`);
  return container;
}

function portOf(workload: files.Workload, probe: Probe | undefined): number | undefined {
  return onlyContainer(workload).ports?.find(({ name }) => name === probe?.httpGet?.port)?.containerPort;
}

function finds(selector: LabelSelector | undefined, workload: files.Workload): boolean {
  const labels = workload.spec.template.metadata?.labels ?? {};
  return (
    Object.entries(selector?.matchLabels ?? {}).every(([name, value]) => labels[name] === value) &&
    (selector?.matchExpressions ?? []).every(({ key, values }) => values?.includes(labels[key] ?? ''))
  );
}
