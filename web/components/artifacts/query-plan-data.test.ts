import { expect, test } from 'vitest';
import { after, before, inMs, ORDERS, ownMs, printed } from './query-plan-data.ts';

test.each([
  ['before', before, '12,430 ms'],
  ['after', after, '1,180 ms'],
] as const)('the nodes of the plan %s add up to the time that the site names', (_label, plan, total) => {
  const nodes = printed(plan).map(({ node }) => node);
  expect(inMs(nodes.reduce((ms, node) => ms + ownMs(node), 0))).toBe(total);
  for (const node of nodes) {
    expect(ownMs(node), node.operation).toBeGreaterThan(0);
    const cheapest = node.children.reduce((cost, child) => cost + child.cost, 0);
    expect(node.cost, node.operation).toBeGreaterThanOrEqual(cheapest);
  }
});

test('the sequential scan reads the whole table, at the cost of the planner’s default settings', () => {
  const scan = scanOf(before);
  expect(scan.rows + numberIn(scan.marked?.details[0])).toBe(ORDERS.rows);
  expect(numberIn(scan.marked?.details[1])).toBe(ORDERS.pages);
  expect(Math.round(ORDERS.pages + ORDERS.rows * (0.01 + 2 * 0.0025))).toBe(scan.cost);
});

test('both plans find the same rows, the second with about a tenth of the pages', () => {
  expect(printed(after).map(({ node }) => node.rows)).toEqual(printed(before).map(({ node }) => node.rows));
  const pages = [before, after].map((plan) => numberIn(scanOf(plan).marked?.details[1]));
  expect((pages[0] ?? 0) / (pages[1] ?? 1)).toBeCloseTo(9.7, 1);
});

function scanOf(plan: typeof before) {
  const scan = printed(plan).find(({ node }) => node.marked)?.node;
  if (!scan) throw new Error('The plan marks no node');
  return scan;
}

function numberIn(text: string | undefined): number {
  return Number(/\d[\d,]*/.exec(text ?? '')?.[0].replaceAll(',', ''));
}
