import { ArtefactFrame } from './artefact-frame.tsx';
import { Bar } from './bar.tsx';
import { after, before, inMs, type Plan, type PlanNode, query, totalMs } from './query-plan-data.ts';
import { useSeen } from './use-seen.ts';

/** A query plan before and after: the sequential scan becomes an index scan, and the bar of its time shrinks once. */
export function QueryPlan() {
  const { ref, seen } = useSeen<HTMLDivElement>();
  return (
    <ArtefactFrame
      title="EXPLAIN (ANALYZE, BUFFERS)"
      note="PostgreSQL 18"
      caption="One query of a shop with 48 million orders. An index that fits its filter and its order turns 12.4 seconds into 1.2."
    >
      <p className="truncate border-b border-line bg-sunken px-4 py-2.5 font-mono text-xs text-muted sm:px-5">
        {query}
      </p>
      <div ref={ref} data-seen={seen} className="divide-y divide-line">
        <PlanTree label="Before" tone="before" plan={before} />
        <PlanTree label="After" tone="after" plan={after} />
      </div>
    </ArtefactFrame>
  );
}

function PlanTree({ label, tone, plan }: { label: string; tone: 'before' | 'after'; plan: Plan }) {
  const total = totalMs(plan);
  return (
    <section aria-label={`Plan ${label.toLowerCase()}`} className="px-4 py-4 font-mono text-xs sm:px-5">
      <div className="flex items-baseline justify-between gap-4">
        <p className="font-sans text-sm font-medium">{label}</p>
        <p className={`text-lg font-semibold ${tone === 'before' ? 'text-before' : 'text-after'}`}>
          {inMs(total)}
        </p>
      </div>
      <div className={tone === 'after' ? 'shrinks mt-1.5' : 'mt-1.5'}>
        <Bar share={total / totalMs(before)} tone={tone} className="h-2.5" />
      </div>
      <ol className="mt-3">
        {plan.nodes.map((node) => (
          <PlanRow key={`${node.operation} ${node.target ?? ''}`} node={node} tone={tone} />
        ))}
      </ol>
    </section>
  );
}

const indents = { 0: '', 1: 'pl-4', 2: 'pl-8' };

function PlanRow({ node, tone }: { node: PlanNode; tone: 'before' | 'after' }) {
  const colour = tone === 'before' ? 'text-before' : 'text-after';
  return (
    <li className={`flex items-baseline justify-between gap-4 py-0.5 ${node.marked ? colour : 'text-muted'}`}>
      <span className={`min-w-0 ${indents[node.depth]}`}>
        {node.depth > 0 && (
          <span aria-hidden="true" className="text-edge">
            {'-> '}
          </span>
        )}
        <span className={node.marked ? 'font-semibold' : ''}>
          {node.operation}
          {node.target && ` on ${node.target}`}
        </span>
        {node.marked && <span className="block break-words pl-5">{node.detail}</span>}
      </span>
      <span className="shrink-0">{inMs(node.ms)}</span>
    </li>
  );
}
