import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CurrentUser } from '../../core/account.ts';
import { paths } from '../../core/paths.ts';
import { Button } from '../components/ui/button.tsx';
import { Skeleton } from '../components/ui/skeleton.tsx';
import { draft, emptyEnrollment, savedValues } from '../features/enrollment/enrollment-draft.ts';
import { EnrollmentForm } from '../features/enrollment/enrollment-form.tsx';
import { enrollmentQuery } from '../features/enrollment/enrollment-queries.ts';
import { useLeaveForPricing } from '../features/enrollment/use-enrollment.ts';
import { withServerState } from '../lib/server-state.tsx';
import { resetSession, useSession } from '../lib/session.ts';

export const EnrollPage = withServerState(function EnrollPage() {
  const session = useSession();
  return (
    <div className="content min-h-dvh py-14 lg:py-20 print:min-h-0">
      {session.state === 'loading' && <Waiting />}
      {session.state === 'anonymous' && (session.lookUpFailed ? <Unreachable /> : <Waiting redirect />)}
      {session.state === 'signed-in' && <Enrollment user={session.user} />}
    </div>
  );
});

function Waiting({ redirect = false }: { redirect?: boolean }) {
  const leave = useLeaveForPricing();
  useEffect(() => {
    if (!redirect) return;
    leave(
      paths.pricing,
      {
        title: 'Authentication required',
        description: 'Please log in to complete enrollment.',
        variant: 'destructive',
      },
      true,
    );
  }, [redirect, leave]);
  return (
    <div className="max-w-2xl">
      <h1 className="sr-only">Enrollment</h1>
      <noscript>
        <p>The enrollment form needs JavaScript.</p>
      </noscript>
      <div className="needs-script">
        <p role="status" className="text-muted">
          Loading...
        </p>
        <FormSkeleton />
      </div>
    </div>
  );
}

function Enrollment({ user }: { user: CurrentUser }) {
  const saved = useQuery(enrollmentQuery);
  const owner = user.email ?? '';
  if (saved.isError) return <Unreachable />;
  return (
    <div className="grid grid-cols-1 items-start gap-10 lg:grid-cols-[1fr_1.6fr]">
      <div>
        <h1 className="text-4xl">Complete your enrollment</h1>
        <p className="mt-5 text-lg text-muted">
          A few facts about your business, so that the first conversation can start with your database, not
          with paperwork.
        </p>
        <p className="mt-6 text-sm text-muted">Signed in as</p>
        <p className="wrap-anywhere">{user.email ?? 'an account without an e-mail'}</p>
      </div>
      <section
        aria-labelledby="business-title"
        className="card rounded-card border border-line bg-surface p-5 shadow-raised sm:p-8"
      >
        <h2 id="business-title" className="mb-6 text-xl">
          Business Information
        </h2>
        {saved.isPending ? (
          <FormSkeleton />
        ) : (
          <>
            <EnrollmentForm
              owner={owner}
              initial={draft.read(owner) ?? (saved.data ? savedValues(saved.data) : emptyEnrollment)}
            />
            <p className="mt-6 border-t border-line pt-5 text-sm text-muted">
              Our team will review your information and reach out within 24 hours.
            </p>
          </>
        )}
      </section>
    </div>
  );
}

/** An unreachable account is neither anonymous nor an empty form. */
function Unreachable() {
  const queryClient = useQueryClient();
  const tryAgain = () => {
    void queryClient.resetQueries(enrollmentQuery);
    resetSession();
  };
  return (
    <div role="alert" className="max-w-2xl">
      <h1 className="text-4xl">Your account cannot be reached</h1>
      <p className="mt-5 max-w-[37em] text-lg text-muted">
        We could not load your account and your answers. Nothing is lost: please try again in a moment.
      </p>
      <Button className="mt-8" onClick={tryAgain}>
        Try again
      </Button>
    </div>
  );
}

function FormSkeleton() {
  return (
    <div className="mt-6 grid gap-5 sm:grid-cols-2">
      {['company', 'role', 'phone', 'size'].map((field) => (
        <Skeleton key={field} className="h-19" />
      ))}
      <Skeleton className="h-40 sm:col-span-2" />
      <Skeleton className="h-32 sm:col-span-2" />
    </div>
  );
}
