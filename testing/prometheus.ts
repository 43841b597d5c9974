import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPromtool, promtoolHint } from './services/promtool.ts';

export type Labels = Record<string, string>;
export interface Series {
  name: string;
  labels: Labels;
  value: string;
}

const promtool = findPromtool();

/** The series of an exposition, as Prometheus stores them, with the `up` that it adds. */
export function stored(exposition: string): Series[] {
  return [{ name: 'up', labels: {}, value: '1' }, ...parse(exposition)].map(asStored);
}

/** The series as one sample a minute of the same value. */
export function constant({ name, labels, value }: Series) {
  return { series: nameOf(name, labels), values: `${value}x120` };
}

function parse(text: string): Series[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value = '']) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text])),
    value: value.toLowerCase() === 'nan' ? '0' : value,
  }));
}

/** Prometheus gives a scrape its own `job` and `instance`, and renames those that were there. */
function asStored({ labels, ...series }: Series): Series {
  const kept = Object.entries(labels).map(([label, value]) => [
    ['job', 'instance'].includes(label) ? `exported_${label}` : label,
    value,
  ]);
  return { ...series, labels: { ...Object.fromEntries(kept), job: 'querywright', instance: 'shop:9464' } };
}

export function nameOf(name: string, labels: Labels): string {
  return `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`;
}

/** Runs tests in Prometheus' own engine. Returns what promtool says: SUCCESS, or what differs. */
export function testRules(rules: string[], tests: object[]): string {
  if (!promtool) throw new Error(promtoolHint);
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-rules-'));
  try {
    const file = path.join(folder, 'test.yml');
    // YAML reads JSON.
    writeFileSync(file, JSON.stringify({ rule_files: rules, evaluation_interval: '1m', tests }));
    const run = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' });
    if (run.error) throw run.error;
    return run.stdout + run.stderr;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
