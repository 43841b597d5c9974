import type { ReactNode } from 'react';
import type { StaffView } from '../../../core/staff.ts';
import { Button } from '../../components/ui/button.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { ApiError, messageOf } from '../../lib/api-client.ts';
import { signInAgain } from './desk-api.ts';

export function Heading({ children }: { children: ReactNode }) {
  return (
    <h1 className="min-w-0 text-2xl wrap-anywhere" tabIndex={-1}>
      {children}
    </h1>
  );
}

export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div className="py-6">
      <p role="status" className="sr-only">
        {label}...
      </p>
      <Skeleton className="h-8 w-48" />
      <Skeleton className="mt-6 h-40 w-full" />
    </div>
  );
}

/** Why something could not be shown, and the way on: signing in again, or another try. */
export function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 401) return <SessionEnded />;
  return (
    <div role="alert" className="max-w-prose rounded-card border border-line bg-surface p-6">
      <p>{messageOf(error, 'The desk could not be reached. Nothing is lost.')}</p>
      <Button look="secondary" className="mt-4" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

export function SessionEnded() {
  return (
    <div role="alert" className="max-w-prose rounded-card border border-line bg-surface p-6">
      <p>Your session at the desk has ended.</p>
      <a href={signInAgain()} className="link mt-4 inline-block font-medium">
        Sign in again
      </a>
    </div>
  );
}

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} className="figure whitespace-nowrap">
      {moment.format(new Date(at))}
    </time>
  );
}

/** On one line, on a phone too. */
export function Id({ id }: { id: string }) {
  return <span className="inline-block max-w-full font-mono text-xs max-sm:text-[0.75rem]">{id}</span>;
}

/** Text with the ids in it, ours and the providers' (`evt_3N…`, `WH-2WR3…`), each on one line. */
export function TextWithIds({ text }: { text: string }) {
  return [...text.matchAll(/[\w-]+|[^\w-]+/g)].map(({ 0: part, index }) =>
    isId(part) ? <Id key={index} id={part} /> : part,
  );
}

function isId(word: string): boolean {
  return word.length >= 20 && /\d/.test(word);
}

/** Whether the sign-in is recent enough for actions that cannot be undone. */
export function isFresh({ freshUntil }: StaffView): boolean {
  return freshUntil !== null && Date.parse(freshUntil) > Date.now();
}

/** Replaces irreversible actions until the person has signed in again. */
export function FreshSignIn({ name = '' }: { name?: string }) {
  return (
    <p className="mt-2 text-sm text-muted">
      Please{' '}
      <a href={signInAgain({ fresh: true, name })} className="link">
        sign in again
      </a>{' '}
      to confirm your identity.
    </p>
  );
}

export interface MoreProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}

interface ListStateProps {
  list: { isPending: boolean; error: Error | null; refetch: () => Promise<unknown> };
}

/** In the place of a list that is loading or could not be loaded. */
export function ListState({ list: { isPending, error, refetch } }: ListStateProps) {
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return isPending ? <Loading /> : null;
}

/** Leads to the rest of a list. */
export function More({ list: { hasNextPage, isFetchingNextPage, fetchNextPage } }: MoreProps) {
  if (!hasNextPage) return null;
  return (
    <Button
      look="secondary"
      className="mt-6"
      pending={isFetchingNextPage}
      pendingLabel="Loading..."
      onClick={() => void fetchNextPage()}
    >
      Show more
    </Button>
  );
}
