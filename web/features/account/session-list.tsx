import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { SessionView } from '../../../core/sessions.ts';
import { Button } from '../../components/ui/button.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { useSubmission } from '../../lib/use-submission.ts';
import { endSession, sessionsQuery } from './sessions-query.ts';
import { SubmissionError } from './submission-error.tsx';

/** Where the client is signed in, each to be ended but this one: that is what logging out is for. */
export function SessionList() {
  const { data, isError, refetch } = useQuery(sessionsQuery);
  if (isError) {
    return (
      <p role="alert" className="mt-2 text-muted">
        The list could not be loaded.{' '}
        <button type="button" className="link" onClick={() => void refetch()}>
          Try again
        </button>
      </p>
    );
  }
  if (!data) return <Skeleton className="mt-4 h-24 w-full" />;
  return <Sessions sessions={data.sessions} />;
}

function Sessions({ sessions }: { sessions: SessionView[] }) {
  const queryClient = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const ending = useSubmission({
    call: ({ id }: SessionView) => endSession(id),
    onSuccess(remaining) {
      queryClient.setQueryData(sessionsQuery.queryKey, remaining);
      // The button that had the focus is gone.
      list.current?.focus();
    },
  });
  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Signed-in browsers"
        className="mt-4 divide-y divide-line border-y border-line"
      >
        {sessions.map((session) => (
          <li key={session.id} className="flex items-center justify-between gap-3 py-3">
            <SessionFacts session={session} />
            {!session.isCurrent && (
              <Button
                look="secondary"
                className="shrink-0 !px-3 !py-1.5 text-sm"
                aria-label={`Sign out ${nameOf(session)}`}
                pending={ending.isPending && ending.variables.id === session.id}
                onClick={() => ending.submit(session)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p role="status" className={ending.isSuccess ? 'mt-3 text-sm text-muted' : 'sr-only'}>
        {ending.isSuccess && `Signed out: ${nameOf(ending.variables)}.`}
      </p>
      <SubmissionError
        error={ending.error}
        fallback="That browser could not be signed out. Please try again."
      />
    </>
  );
}

function SessionFacts({ session }: { session: SessionView }) {
  return (
    <div className="min-w-0">
      <p className="font-medium">{nameOf(session)}</p>
      <p className="mt-0.5 text-sm text-muted">
        {session.isCurrent ? 'This browser' : `Last seen ${timeOf(session.lastSeenAt)}`}
      </p>
      <p className="text-sm text-muted">Signed in {timeOf(session.signedInAt)}</p>
    </div>
  );
}

function nameOf({ device }: SessionView): string {
  return device ?? 'Unknown browser';
}

/** Without the year: no session is older than half a day. */
function timeOf(time: string): string {
  const parts = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-US', parts).format(new Date(time));
}
