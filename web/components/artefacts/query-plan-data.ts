/** One node of a plan: its own time in ms, without its children's. */
export interface PlanNode {
  depth: 0 | 1 | 2;
  operation: string;
  target?: string;
  detail: string;
  ms: number;
  /** The node that the story is about. */
  marked?: true;
}

export interface Plan {
  nodes: readonly PlanNode[];
}

/** The query whose plan is shown: the open orders of one customer, newest first. */
export const query = 'SELECT … FROM orders JOIN customers … WHERE customer_id = $1';

export const before: Plan = {
  nodes: [
    { depth: 0, operation: 'Sort', detail: 'rows=1,204', ms: 34 },
    { depth: 1, operation: 'Nested Loop', detail: 'rows=1,204', ms: 18 },
    {
      depth: 2,
      operation: 'Seq Scan',
      target: 'orders',
      detail: 'rows removed by filter: 48,212,904',
      ms: 12_172,
      marked: true,
    },
    { depth: 2, operation: 'Index Scan', target: 'customers', detail: 'loops=1,204', ms: 206 },
  ],
};

export const after: Plan = {
  nodes: [
    { depth: 0, operation: 'Incremental Sort', detail: 'rows=1,204', ms: 9 },
    { depth: 1, operation: 'Nested Loop', detail: 'rows=1,204', ms: 18 },
    {
      depth: 2,
      operation: 'Index Scan',
      target: 'orders',
      detail: 'using orders_customer_id_idx',
      ms: 947,
      marked: true,
    },
    { depth: 2, operation: 'Index Scan', target: 'customers', detail: 'loops=1,204', ms: 206 },
  ],
};

/** The time of a whole plan: the sum of its nodes' own times. */
export function totalMs(plan: Plan): number {
  return plan.nodes.reduce((sum, node) => sum + node.ms, 0);
}

/** '12,430 ms' */
export function inMs(ms: number): string {
  return `${String(ms).replace(/\B(?=(\d{3})+$)/g, ',')} ms`;
}
