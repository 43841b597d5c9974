import { z } from 'zod';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Name'?: string | undefined;
  'Index Cond'?: string | undefined;
  'Recheck Cond'?: string | undefined;
  Plans?: PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.looseObject({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Index Cond': z.string().optional(),
    'Recheck Cond': z.string().optional(),
    Plans: z.array(planNode).optional(),
  }),
);

const logged = z.object({ 'Query Text': z.string(), Plan: planNode });

export interface LoggedPlan {
  query: string;
  plan: PlanNode;
}

/** Has PostgreSQL log every plan, and plan small tables like large ones, as no statistics say that they are small. */
export const planLogging = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  autovacuum: 'off',
};

/** The plans in PostgreSQL's log. */
export function readPlans(log: string): LoggedPlan[] {
  const found: LoggedPlan[] = [];
  for (const match of log.matchAll(/ plan:\n((?:\t.*\n?)+)/g)) {
    const text = (match[1] ?? '').replace(/^\t/gm, '');
    const { 'Query Text': query, Plan: plan } = logged.parse(JSON.parse(text));
    found.push({ query, plan });
  }
  return found;
}

/**
 * The scans that read a whole table: without an index, or along one that is not partial and limits nothing. Below a Limit
 * the latter is fine: it reads the newest or oldest rows.
 */
export function wholeScans(plan: PlanNode, partialIndexes: Set<string>, isLimited = false): PlanNode[] {
  const below = (plan.Plans ?? []).flatMap((child) =>
    wholeScans(child, partialIndexes, isLimited || plan['Node Type'] === 'Limit'),
  );
  return isWhole(plan, partialIndexes, isLimited) ? [plan, ...below] : below;
}

function isWhole(node: PlanNode, partialIndexes: Set<string>, isLimited: boolean): boolean {
  if (node['Node Type'] === 'Seq Scan') return true;
  if (!/^(Bitmap )?Index/.test(node['Node Type'])) return false;
  return !node['Index Cond'] && !isLimited && !partialIndexes.has(node['Index Name'] ?? '');
}
