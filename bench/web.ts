import { parseArgs } from 'node:util';
import { freePort } from '@querywright/sandbox/listen';
import { chromiumPath } from '@querywright/sandbox/testing/chromium';
import { chromium } from 'playwright-core';
import { paths } from '../core/paths.ts';
import { pages } from '../web/metadata/pages.ts';
import { firstFieldUsable, slowestInteraction, slowestWithoutScripts } from './web-interactions.ts';
import { type Category, categories, lcpOf, type PageRun, visit } from './web-lighthouse.ts';
import { type Sites, startSites } from './web-sites.ts';

// `npm run bench:web`: the median of three Lighthouse runs per page, and the largest contentful paint of the same page
// without scripts; then of three visits, how long interactions take on such a phone. Some pages only:
// `npm run bench:web -- --runs 1 /about`.

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const runs = Number(values.runs);
const signedInOnly: string[] = [paths.enroll, paths.account];
const wanted = pages.filter((page) => positionals.length === 0 || positionals.includes(page.path));

const sites = await startSites();
const debuggingPort = await freePort();
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', `--remote-debugging-port=${debuggingPort}`],
});
try {
  const headings = [...categories, 'LCP ms', 'CLS', 'TBT ms', 'LCP ms without scripts', 'ratio'];
  console.info(`| | ${headings.join(' | ')} |\n|---|${'---:|'.repeat(headings.length)}`);
  const losses: string[] = [];
  for (const page of wanted) losses.push(...(await measure(page.path, page.listed, sites)));
  console.info(`\n${losses.length === 0 ? 'No listed page lost a point.' : losses.join('\n')}`);
  const limit = 'fields and details without scripts, ms';
  console.info(`\n| | slowest interaction until the next paint, ms | ${limit} |\n|---|---:|---:|`);
  for (const { path } of wanted) {
    const buyer = signedInOnly.includes(path) ? 'Grace Hooper' : undefined;
    const slowest = await medianOf(() => slowestInteraction(browser, `${sites.whole}${path}`, buyer));
    const bare = await medianOf(() => slowestWithoutScripts(browser, `${sites.scriptless}${path}`));
    console.info(`| ${path} | ${slowest} | ${bare} |`);
  }
  const usable = await medianOf(() => firstFieldUsable(browser, sites.whole));
  console.info(
    `\nFrom Get Started until the first field of the checkout is typed in: ${Math.round(usable)} ms`,
  );
} finally {
  await browser.close();
  await sites.close();
}

/** Prints the page's row. Returns the audits that cost points if search engines may list the page. */
async function measure(path: string, listed: boolean, { whole, scriptless }: Sites): Promise<string[]> {
  const visits: PageRun[] = [];
  const bare: number[] = [];
  for (let run = 0; run < runs; run++) {
    visits.push(await visit(`${whole}${path}`, debuggingPort));
    bare.push(await lcpOf(`${scriptless}${path}`, debuggingPort));
  }
  const of = (pick: (visited: PageRun) => number) => median(visits.map(pick));
  const scores = (category: Category) => of((visited) => visited.scores[category]);
  const lcp = of((visited) => visited.lcpMs);
  const cells = [
    ...categories.map(scores),
    Math.round(lcp),
    of((visited) => visited.cls).toFixed(3),
    Math.round(of((visited) => visited.tbtMs)),
    Math.round(median(bare)),
    (lcp / median(bare)).toFixed(2),
  ];
  console.info(`| ${path}${listed ? '' : ' (not listed)'} | ${cells.join(' | ')} |`);
  if (!listed) return [];
  return [...new Set(visits.flatMap((visited) => visited.losses))].map((loss) => `${path} ${loss}`);
}

async function medianOf(visit: () => Promise<number>): Promise<number> {
  const visits: number[] = [];
  for (let run = 0; run < runs; run++) visits.push(await visit());
  return median(visits);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
