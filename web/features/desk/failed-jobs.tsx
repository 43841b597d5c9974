import { jobAdvice } from '../../../core/concern-advice.ts';
import type { DeskOrder } from '../../../core/desk-order.ts';
import type { StaffView } from '../../../core/staff.ts';
import { JobForm } from './job-form.tsx';
import { deskOrderQuery } from './order-queries.ts';

/** The order's jobs that failed permanently, each with advice and actions. */
export function FailedJobs({ order, me }: { order: DeskOrder; me: StaffView }) {
  const failed = order.timeline.filter(({ what, status }) => what === 'job' && status === 'dead');
  if (failed.length === 0) return null;
  return (
    <section aria-label="Failed jobs" className="rounded-card border border-error bg-surface p-5">
      <h2 className="text-lg">Failed permanently</h2>
      <ul className="mt-3 divide-y divide-line text-sm">
        {failed.map(({ id, text, name }) => (
          <li key={id} className="py-3 wrap-anywhere first:pt-0 last:pb-0">
            <p>{text}</p>
            <p className="mt-1 text-muted">{jobAdvice(name ?? '')}</p>
            <JobForm jobId={id} me={me} shown={deskOrderQuery(order.id).queryKey} />
          </li>
        ))}
      </ul>
    </section>
  );
}
