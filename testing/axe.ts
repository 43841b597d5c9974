import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: { run(parts: Parts, options: RunOptions): Promise<AxeResults> };
  }
}

/** Selectors of what to check and what to leave out. */
interface Parts {
  include?: string[];
  exclude?: string[];
}

const program = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The violations that axe finds on the page outside of frames. Loads axe once per document: `@axe-core/playwright` loads
 * it twice per run and into every frame, which takes longer than the rules.
 */
export async function runAxe(page: Page, parts: Parts, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(program);
  return page.evaluate(
    async ([parts, options]) => {
      const { violations } = await window.axe.run(parts, { ...options, resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
    },
    [parts, options] as const,
  );
}
