import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AccountView } from '../../core/account.ts';
import { paths } from '../../core/paths.ts';
import { Button } from '../components/ui/button.tsx';
import { SiteLink } from '../components/ui/link.tsx';
import { Skeleton } from '../components/ui/skeleton.tsx';
import { accountQuery } from '../features/account/account-query.ts';
import { OrderList } from '../features/account/order-list.tsx';
import { SessionList } from '../features/account/session-list.tsx';
import { SignOutEverywhere } from '../features/account/sign-out-everywhere.tsx';
import { api } from '../lib/api-paths.ts';
import { withServerState } from '../lib/server-state.tsx';
import { useSession } from '../lib/session.ts';

export const AccountPage = withServerState(function AccountPage() {
  const session = useSession();
  const account = useQuery({ ...accountQuery, enabled: session.state === 'signed-in' });
  const isUnreachable = account.isError || (session.state === 'anonymous' && session.lookUpFailed);
  return (
    <div className="content min-h-dvh py-14 lg:py-20">
      <h1 className="text-4xl">Your account</h1>
      {isUnreachable && <Unreachable onRetry={() => window.location.reload()} />}
      {!isUnreachable && session.state === 'anonymous' && <SignedOut />}
      {!isUnreachable && session.state !== 'anonymous' && !account.data && <Waiting />}
      {account.data && <Account account={account.data} />}
    </div>
  );
});

function Account({ account }: { account: AccountView }) {
  return (
    <>
      <p className="mt-4 text-lg text-muted wrap-anywhere">
        {[account.name, account.email].filter(Boolean).join(', ')}
      </p>
      <div className="mt-10 grid grid-cols-1 items-start gap-x-16 gap-y-12 lg:grid-cols-[1.4fr_1fr] lg:grid-rows-[auto_1fr]">
        <Part title="Orders">
          <OrderList orders={account.orders} />
        </Part>
        <div className="grid gap-10 lg:row-span-2">
          <Part title="Enrollment">
            <p className="mt-2 text-muted">
              {account.enrollmentStatus === 'completed'
                ? 'Completed. You can change it at any time.'
                : 'Not completed yet. It takes about two minutes.'}
            </p>
            <SiteLink to={paths.enroll} className="link mt-2 inline-block">
              {account.enrollmentStatus === 'completed' ? 'Change the enrollment' : 'Complete the enrollment'}
            </SiteLink>
          </Part>
          <Part title="Newsletter">
            <p className="mt-2 text-muted">{newsletters[account.newsletter]}</p>
          </Part>
        </div>
        <Part title="Sessions">
          <SessionList />
          <SignOutEverywhere />
        </Part>
      </div>
    </>
  );
}

const newsletters: Record<AccountView['newsletter'], string> = {
  none: 'You are not subscribed. Subscribe with the form at the bottom of this page.',
  pending: 'Almost there: the link in our e-mail confirms your subscription.',
  confirmed: 'You are subscribed. Every newsletter has an unsubscribe link.',
  unsubscribed: 'You have unsubscribed. Use the form below to subscribe again.',
};

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="text-xl">{title}</h2>
      {children}
    </section>
  );
}

function SignedOut() {
  return (
    <div className="mt-5">
      <p className="text-lg text-muted">Log in to see your orders, your enrollment and your sessions.</p>
      <a href={`${api.login}?returnTo=${paths.account}`} className="link mt-4 inline-block">
        Log in
      </a>
    </div>
  );
}

function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="mt-5">
      <p className="max-w-[37em] text-lg text-muted">
        Your account could not be loaded. Nothing is lost: please try again in a moment.
      </p>
      <Button className="mt-6" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

function Waiting() {
  return (
    <div className="mt-6">
      <noscript>
        <p>Your account needs JavaScript.</p>
      </noscript>
      <div className="needs-script">
        <p role="status" className="sr-only">
          Loading...
        </p>
        <Skeleton className="h-6 w-64 max-w-full" />
        <Skeleton className="mt-12 h-40 w-full max-w-2xl" />
      </div>
    </div>
  );
}
