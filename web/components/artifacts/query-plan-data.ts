import { thousands } from '../../../core/money.ts';

/** One node of a plan, as EXPLAIN (ANALYZE) counts it: cost and time include the node's children. */
export interface PlanNode {
  operation: string;
  cost: number;
  rows: number;
  /** Milliseconds until the last row, children included; every node here ran once. */
  ms: number;
  /** The node that the story is about, and what EXPLAIN adds to it. */
  marked?: { details: readonly string[] };
  children: readonly PlanNode[];
}

/** Rows of the table, 78 on a page of 8 KiB. */
export const ORDERS = { rows: 48_213_000, pages: 618_115 };

export const query = `SELECT … FROM orders JOIN customers …
WHERE shop_id = 42 AND created_at >= '2026-08-01'`;

export const change = 'CREATE INDEX CONCURRENTLY ON orders (shop_id, created_at)';

const scanBefore: PlanNode = {
  operation: 'Seq Scan on orders',
  // Default settings: 1 per page, 0.01 per row and 0.0025 for each of the filter's two comparisons per row.
  cost: 1_341_310,
  rows: 412_680,
  ms: 12_172,
  marked: { details: ['Rows Removed by Filter: 47,800,320', 'Buffers: 618,115 pages'] },
  children: [],
};

const scanAfter: PlanNode = {
  operation: 'Index Scan on orders',
  cost: 402_118,
  rows: 412_680,
  ms: 936,
  marked: { details: ['using orders_shop_id_created_at_idx', 'Buffers: 63,412 pages'] },
  children: [],
};

/** Sums the scan's rows up by customer, which costs the same whatever the scan does. */
function revenueByCustomer(
  scan: PlanNode,
  ms: Record<'customers' | 'hash' | 'join' | 'group' | 'sort', number>,
) {
  const customers = { operation: 'Seq Scan on customers', cost: 2_098, rows: 86_400, ms: ms.customers };
  const hash = { ...customers, operation: 'Hash', ms: ms.hash, children: [{ ...customers, children: [] }] };
  const join = { operation: 'Hash Join', cost: scan.cost + 8_210, rows: scan.rows, ms: ms.join };
  const group = { operation: 'HashAggregate', cost: join.cost + 4_309, rows: 18_204, ms: ms.group };
  const sort: PlanNode = {
    operation: 'Sort',
    cost: group.cost + 1_288,
    rows: group.rows,
    ms: ms.sort,
    children: [{ ...group, children: [{ ...join, children: [scan, hash] }] }],
  };
  return sort;
}

export const before = revenueByCustomer(scanBefore, {
  customers: 21,
  hash: 34,
  join: 12_312,
  group: 12_421,
  sort: 12_430,
});
export const after = revenueByCustomer(scanAfter, {
  customers: 20,
  hash: 33,
  join: 1_067,
  group: 1_171,
  sort: 1_180,
});

/** What a node took itself, without its children. */
export function ownMs(node: PlanNode): number {
  return node.children.reduce((ms, child) => ms - child.ms, node.ms);
}

/** A plan's nodes in the order in which EXPLAIN prints them, with their depth. */
export function printed(node: PlanNode, depth = 0): { node: PlanNode; depth: number }[] {
  return [{ node, depth }, ...node.children.flatMap((child) => printed(child, depth + 1))];
}

export function inThousands(count: number): string {
  return thousands.format(count);
}

export function inMs(ms: number): string {
  return `${inThousands(ms)} ms`;
}
