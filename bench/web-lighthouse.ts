import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof categories)[number];

export interface PageRun {
  /** 0 to 100. */
  scores: Record<Category, number>;
  lcpMs: number;
  cls: number;
  tbtMs: number;
  /** The audits that cost points, as 'category: audit'. */
  losses: readonly string[];
}

/** The fields we read from the JSON report of the version in lighthouse/package.json. */
const reports = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.partialRecord(
    z.enum(categories),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(
    z.string(),
    z.object({ score: z.number().nullable(), numericValue: z.number().optional() }),
  ),
});
type Report = z.infer<typeof reports>;

const MAX_REPORT_BYTES = 50_000_000;
const program = path.join(import.meta.dirname, 'lighthouse/node_modules/lighthouse/cli/index.js');

/** One Lighthouse run with its default profile, a simulated mid-range phone on a slow connection. */
export async function visit(url: string, debuggingPort: number): Promise<PageRun> {
  const report = await run(url, debuggingPort, categories);
  const losses = categories.flatMap((category) =>
    (report.categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 0.995)
      .map(({ id }) => `${category}: ${id}`),
  );
  const scores = Object.fromEntries(
    categories.map((category) => [category, Math.round(100 * (report.categories[category]?.score ?? 0))]),
  ) as Record<Category, number>;
  return {
    scores,
    losses,
    lcpMs: numberOf(report, 'largest-contentful-paint'),
    cls: numberOf(report, 'cumulative-layout-shift'),
    tbtMs: numberOf(report, 'total-blocking-time'),
  };
}

/** Largest contentful paint in ms. */
export async function lcpOf(url: string, debuggingPort: number): Promise<number> {
  return numberOf(await run(url, debuggingPort, ['performance']), 'largest-contentful-paint');
}

async function run(url: string, port: number, only: readonly Category[]): Promise<Report> {
  const options = [
    `--port=${port}`,
    `--only-categories=${only.join()}`,
    '--output=json',
    '--quiet',
    '--no-enable-error-reporting',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, ...options], {
    maxBuffer: MAX_REPORT_BYTES,
  });
  const report = reports.parse(JSON.parse(stdout));
  if (report.runtimeError) throw new Error(`${url}: ${report.runtimeError.message}`);
  return report;
}

function numberOf({ audits }: Report, audit: string): number {
  const value = audits[audit]?.numericValue;
  if (value === undefined) throw new Error(`Lighthouse did not measure ${audit}`);
  return value;
}
