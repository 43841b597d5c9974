import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { concernAdvice } from '../../../core/concern-advice.ts';
import { concernTitle } from '../../../core/concern-titles.ts';
import { type Concern, nameOf } from '../../../core/concerns.ts';
import type { TodayItem, TodayView } from '../../../core/desk.ts';
import { deskPages } from '../../../core/desk-paths.ts';
import { brands } from '../../../core/order-texts.ts';
import type { StaffView } from '../../../core/staff.ts';
import { deskApi } from './desk-api.ts';
import { todayQuery } from './desk-queries.ts';
import { JobForm } from './job-form.tsx';
import { Failure, Heading, Loading, Moment } from './parts.tsx';
import { ReasonForm } from './reason-form.tsx';
import { useRowKeys } from './use-keys.ts';
import { useTodayChanges } from './use-order-changes.ts';

export function TodayPage({ me }: { me: StaffView }) {
  const today = useQuery(todayQuery);
  const [done, setDone] = useState<string>();
  useTodayChanges();
  return (
    <>
      <Heading>Today</Heading>
      {today.isError && <Failure error={today.error} onRetry={() => void today.refetch()} />}
      {today.isPending && <Loading />}
      <p role="status" className={done ? 'mt-3 text-sm text-muted wrap-anywhere' : 'sr-only'}>
        {done && `Recorded: ${done}`}
      </p>
      {today.data && <Concerns concerns={today.data.concerns} me={me} onDone={setDone} />}
      {today.data && <Payouts payouts={today.data.payouts} />}
    </>
  );
}

interface Acting {
  me: StaffView;
  /** Called with the text of the row that was acted on, which is about to be removed. */
  onDone: (text: string) => void;
}

function Concerns({ concerns, ...acting }: Pick<TodayView, 'concerns'> & Acting) {
  const list = useRef<HTMLOListElement>(null);
  useRowKeys(list);
  if (concerns.length === 0) {
    return (
      <div className="mt-6 rounded-card border border-line bg-surface p-8">
        <p className="text-lg font-medium">A good day: nothing needs attention.</p>
        <p className="mt-1 text-muted">
          No payment to review, no evidence due, no failed refund or payout, no late or refused mail, no
          failed job, no message to answer, no silent webhooks.
        </p>
      </div>
    );
  }
  return (
    <ol ref={list} tabIndex={-1} aria-label="What needs attention" className="mt-6 grid gap-4">
      {concerns.map(({ concern, items }) => (
        <li key={nameOf(concern)} className="rounded-card border border-line bg-surface p-5 sm:p-6">
          <ConcernCard concern={concern} items={items} {...acting} />
        </li>
      ))}
    </ol>
  );
}

function Payouts({ payouts }: Pick<TodayView, 'payouts'>) {
  if (payouts.length === 0) return null;
  return (
    <p className="mt-6 flex gap-4 text-sm text-muted">
      Payouts:
      {payouts.map(({ provider, url }) => (
        <a key={provider} href={url} target="_blank" rel="noreferrer" className="link">
          {brands[provider]}
        </a>
      ))}
    </p>
  );
}

function ConcernCard(props: { concern: Concern; items: TodayItem[] } & Acting) {
  const { concern, items, ...acting } = props;
  return (
    <>
      <h2 className="text-lg">{concernTitle(concern)}</h2>
      <p className="mt-1 text-sm text-muted">{concernAdvice(concern)}</p>
      {concern.topic === 'messages_unanswered' && <OldestMessage since={concern.since} />}
      {items.length > 0 && (
        <ul className="mt-4 divide-y divide-line border-t border-line text-sm">
          {items.map((item) => (
            <li key={keyOf(item)} className="py-2.5">
              <p className="flex flex-wrap items-baseline justify-between gap-x-6">
                <ItemText item={item} />
                <span>
                  {concern.topic === 'evidence_due' && 'due '}
                  <Moment at={item.at} />
                </span>
              </p>
              {item.subject && <Action item={item} subject={item.subject} {...acting} />}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The text of some changes while a person writes a reason. */
function keyOf({ subject, orderId, text }: TodayItem): string {
  return subject ? `${subject.kind} ${subject.id}` : (orderId ?? text);
}

function OldestMessage({ since }: { since: number }) {
  return (
    <>
      <p className="mt-1 text-sm text-muted">
        Oldest received <Moment at={new Date(since).toISOString()} />.
      </p>
      <Link to={deskPages.people} className="link mt-3 inline-block text-sm" data-row>
        Read them
      </Link>
    </>
  );
}

function Action(props: { item: TodayItem; subject: NonNullable<TodayItem['subject']> } & Acting) {
  const { item, subject, me, onDone } = props;
  const form = { me, isRow: !item.orderId, shown: todayQuery.queryKey, onDone: () => onDone(item.text) };
  if (subject.kind === 'job') return <JobForm jobId={subject.id} {...form} />;
  if (subject.kind === 'transfer') {
    return <ReasonForm label="Dismiss" path={deskApi.dismissTransfer(subject.id)} {...form} />;
  }
  return (
    <>
      <ReasonForm label="Send again" path={deskApi.resendEmail(subject.id)} {...form} />
      <ReasonForm label="Dismiss" path={deskApi.dismissEmail(subject.id)} {...form} isRow={false} />
    </>
  );
}

function ItemText({ item: { orderId, text } }: { item: TodayItem }) {
  if (!orderId) return <span className="min-w-0 wrap-anywhere">{text}</span>;
  return (
    <Link to={deskPages.order(orderId)} className="link min-w-0 wrap-anywhere" data-row>
      {text}
    </Link>
  );
}
