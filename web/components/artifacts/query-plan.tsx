import { ArtifactFrame } from './artifact-frame.tsx';
import { Bar } from './bar.tsx';
import {
  after,
  before,
  change,
  inMs,
  inThousands,
  ownMs,
  type PlanNode,
  printed,
  query,
} from './query-plan-data.ts';
import { useSeen } from './use-seen.ts';

/** A query plan before and after: the sequential scan becomes an index scan, and the bar of its time shrinks once. */
export function QueryPlan() {
  const { ref, seen } = useSeen<HTMLDivElement>();
  return (
    <ArtifactFrame
      title="EXPLAIN ANALYZE"
      note="PostgreSQL 18"
      caption="One report of a shop with 48 million orders. With one more index it reads 63,412 pages instead of 618,115, and 12.4 seconds become 1.2."
    >
      <pre className="overflow-hidden whitespace-pre-wrap border-b border-line bg-sunken px-4 py-2.5 font-mono text-xs text-muted sm:px-5">
        <code>{query}</code>
      </pre>
      <div ref={ref} data-seen={seen}>
        <PlanTree label="Before" tone="before" plan={before} />
        <p className="border-y border-line bg-accent-wash px-4 py-2 font-mono text-xs text-accent sm:px-5">
          {change}
        </p>
        <PlanTree label="After" tone="after" plan={after} />
      </div>
    </ArtifactFrame>
  );
}

interface Side {
  label: string;
  tone: 'before' | 'after';
  plan: PlanNode;
}

function PlanTree({ label, tone, plan }: Side) {
  return (
    <div className="px-4 py-3.5 font-mono text-xs sm:px-5">
      <div className="flex items-baseline justify-between gap-4">
        <p className="font-sans text-sm font-medium">{label}</p>
        <p className={`text-lg font-semibold ${words[tone]}`}>{inMs(plan.ms)}</p>
      </div>
      <div className={tone === 'after' ? 'shrinks mt-1' : 'mt-1'}>
        <Bar share={plan.ms / before.ms} tone={tone} className="h-2.5" />
      </div>
      <table className="mt-2.5 w-full text-right">
        <caption className="sr-only">
          {`Plan ${label.toLowerCase()}: cost and rows of each node, and its own time without its children`}
        </caption>
        <thead className="text-muted">
          <tr>
            <th scope="col" className="w-full text-left font-normal">
              node
            </th>
            <th scope="col" className={`${extra} font-normal`}>
              cost
            </th>
            <th scope="col" className={`${extra} font-normal`}>
              rows
            </th>
            <th scope="col" className={`${cell} font-normal`}>
              own ms
            </th>
          </tr>
        </thead>
        <tbody>
          {printed(plan).map(({ node, depth }) => (
            <PlanRow key={node.operation} node={node} depth={depth} tone={tone} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const words = { before: 'text-before', after: 'text-after' };
const cell = 'pl-4 whitespace-nowrap';
/** Left out where the sheet is narrow: the story is in the times. */
const extra = `hidden sm:table-cell ${cell}`;
const indents = ['', 'pl-2', 'pl-4', 'pl-6', 'pl-8'];

function PlanRow({ node, depth, tone }: { node: PlanNode; depth: number; tone: Side['tone'] }) {
  const color = node.marked ? words[tone] : 'text-muted';
  return (
    <>
      <tr className={`align-baseline ${color}`}>
        <th
          scope="row"
          className={`text-left ${node.marked ? 'font-semibold' : 'font-normal'} ${indents[depth]}`}
        >
          {depth > 0 && (
            <span aria-hidden="true" className="font-normal text-edge">
              {'-> '}
            </span>
          )}
          {node.operation}
        </th>
        <td className={extra}>{inThousands(node.cost)}</td>
        <td className={extra}>{inThousands(node.rows)}</td>
        <td className={`${cell} ${node.marked ? 'font-semibold' : ''}`}>{inThousands(ownMs(node))}</td>
      </tr>
      {node.marked && (
        <tr className={color}>
          <td colSpan={4} className="pl-12 text-left">
            {node.marked.details.map((detail) => (
              <span key={detail} className="block wrap-anywhere">
                {detail}
              </span>
            ))}
          </td>
        </tr>
      )}
    </>
  );
}
