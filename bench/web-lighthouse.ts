import lighthouse from 'lighthouse';

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

/** One Lighthouse run with its default profile, a simulated mid-range phone on a slow connection. */
export async function visit(url: string, debuggingPort: number): Promise<PageRun> {
  const result = await run(url, debuggingPort, [...categories]);
  const losses = categories.flatMap((category) =>
    (result.categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (result.audits[id]?.score ?? 1) < 0.995)
      .map(({ id }) => `${category}: ${id}`),
  );
  const scores = Object.fromEntries(
    categories.map((category) => [category, Math.round(100 * (result.categories[category]?.score ?? 0))]),
  ) as Record<Category, number>;
  return {
    scores,
    losses,
    lcpMs: numberOf(result, 'largest-contentful-paint'),
    cls: numberOf(result, 'cumulative-layout-shift'),
    tbtMs: numberOf(result, 'total-blocking-time'),
  };
}

/** Largest contentful paint in ms. */
export async function lcpOf(url: string, debuggingPort: number): Promise<number> {
  return numberOf(await run(url, debuggingPort, ['performance']), 'largest-contentful-paint');
}

type Result = Awaited<ReturnType<typeof run>>;

async function run(url: string, port: number, onlyCategories: string[]) {
  const report = await lighthouse(url, { port, onlyCategories, logLevel: 'error' });
  if (!report || report.lhr.runtimeError) {
    throw new Error(`${url}: ${report?.lhr.runtimeError?.message ?? 'Lighthouse gave no report'}`);
  }
  return report.lhr;
}

function numberOf(result: Result, audit: string): number {
  const value = result.audits[audit]?.numericValue;
  if (value === undefined) throw new Error(`Lighthouse did not measure ${audit}`);
  return value;
}
