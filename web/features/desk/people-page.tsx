import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { cappedCount } from '../../../core/capped-count.ts';
import type { StaffView } from '../../../core/staff.ts';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { deskApi } from './desk-api.ts';
import { Enrollments } from './enrollments.tsx';
import { ExportForm } from './export-form.tsx';
import { Messages } from './messages.tsx';
import { Failure, Heading } from './parts.tsx';
import { newsletterQuery } from './people-queries.ts';
import { PersonForm } from './person-form.tsx';
import { useRowKeys } from './use-keys.ts';

/** Who wrote, who enrolled, who subscribed, and what is stored about a person. */
export function PeoplePage({ me }: { me: StaffView }) {
  const lists = useRef<HTMLDivElement>(null);
  useRowKeys(lists);
  return (
    <>
      <Heading>People</Heading>
      <div className="mt-6 grid grid-cols-1 items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
        <div ref={lists} className="grid min-w-0 gap-6">
          <Part title="Messages">
            <Messages me={me} />
          </Part>
          <Part title="Enrollments">
            <Enrollments />
          </Part>
        </div>
        <div className="grid min-w-0 gap-6">
          <Part title="Newsletter">
            <Newsletter me={me} />
          </Part>
          {me.role === 'operator' && (
            <Part title="A person’s data">
              <PersonForm me={me} />
            </Part>
          )}
        </div>
      </div>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-card border border-line bg-surface p-5">
      <h2 className="text-lg">{title}</h2>
      {children}
    </section>
  );
}

function Newsletter({ me }: { me: StaffView }) {
  const figures = useQuery(newsletterQuery);
  if (figures.isError) return <Failure error={figures.error} onRetry={() => void figures.refetch()} />;
  if (!figures.data) return <Skeleton className="mt-3 h-12 w-full" />;
  const { confirmed, pending, unsubscribed } = figures.data;
  return (
    <>
      <p className="mt-2 text-sm text-muted">
        <span className="figure font-medium text-ink">{cappedCount(confirmed)}</span>{' '}
        {confirmed === 1 ? 'subscriber' : 'subscribers'},{' '}
        <span className="figure">{cappedCount(pending)}</span> unconfirmed,{' '}
        <span className="figure">{cappedCount(unsubscribed)}</span> unsubscribed.
      </p>
      {me.role === 'operator' && (
        <div className="mt-3">
          <ExportForm me={me} path={deskApi.exportNewsletter} file="newsletter.csv" className="text-sm" />
        </div>
      )}
    </>
  );
}
