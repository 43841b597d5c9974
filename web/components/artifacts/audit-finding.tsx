import type { ReactNode } from 'react';
import { ArtifactFrame } from './artifact-frame.tsx';
import { findingCount, worstIn } from './audit-findings.ts';
import { after, before, change, inMs, inThousands, ORDERS } from './query-plan-data.ts';

const index = 'orders_shop_id_created_at_idx';
/** A row of the index takes 28 bytes, and its pages are filled to nine tenths. */
const indexGigabytes = ((ORDERS.rows * 28) / 0.9 / 1e9).toFixed(1);
const finding = worstIn('Indexes');

/** One finding of the audit, the one that the hero's plan is about, as a team receives it. */
export function AuditFinding() {
  return (
    <ArtifactFrame
      title={`finding ${finding.rank} of ${findingCount}`}
      note={finding.severity}
      caption="One finding as we hand it over: what it costs you, the change, the statement that undoes it, and the numbers afterwards."
    >
      <p className="border-b border-line px-4 py-4 font-medium sm:px-5">{finding.text}</p>
      <dl className="divide-y divide-line text-sm">
        <Part term="Evidence">
          One report reads {inThousands(ORDERS.pages)} pages for {inThousands(before.rows)} rows.
        </Part>
        <Part term="Change">
          <Code>{change}</Code>
        </Part>
        <Part term="Rehearsed">
          On a copy: 3 min 50 s, {indexGigabytes} GB, no write waited longer than 40 ms.
        </Part>
        <Part term="Way back">
          <Code>DROP INDEX CONCURRENTLY {index}</Code>
        </Part>
        <Part term="Measured">
          <span className="font-mono text-xs">
            <span className="text-before">{inMs(before.ms)}</span> →{' '}
            <span className="font-semibold text-after">{inMs(after.ms)}</span>
          </span>
        </Part>
      </dl>
    </ArtifactFrame>
  );
}

function Part({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 px-4 py-3 sm:grid-cols-[6.5rem_1fr] sm:px-5">
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-xs wrap-anywhere">{children}</code>;
}
