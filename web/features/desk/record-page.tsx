import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { deskPages } from '../../../core/desk-paths.ts';
import type { RecordPage as Page } from '../../../core/desk-record.ts';
import { endOfId } from './end-of-id.ts';
import { Heading, ListState, Moment, More } from './parts.tsx';
import { recordQuery } from './people-queries.ts';
import { useRowKeys } from './use-keys.ts';

/** Who did what, when and why. */
export function RecordPage() {
  const rows = useRef<HTMLUListElement>(null);
  useRowKeys(rows);
  const list = useInfiniteQuery(recordQuery);
  const actions = list.data?.pages.flatMap((page) => page.actions) ?? [];
  return (
    <>
      <Heading>Record</Heading>
      <p className="mt-2 text-muted">What staff did at the desk, newest first. It cannot be changed.</p>
      <ListState list={list} />
      {list.data && actions.length === 0 && <p className="mt-4">Nothing yet.</p>}
      <ul ref={rows} className="mt-4 divide-y divide-line border-y border-line empty:hidden">
        {actions.map((action) => (
          <li key={action.id} className="grid gap-x-6 py-3 text-sm sm:grid-cols-[11rem_1fr]">
            <Action action={action} />
          </li>
        ))}
      </ul>
      <More list={list} />
    </>
  );
}

function Action({ action: { at, staff, text, reason, orderId } }: { action: Page['actions'][number] }) {
  return (
    <>
      <span className="text-muted">
        <Moment at={at} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p>
          <span className="font-medium">{staff}</span>: {text}
          {orderId && (
            <>
              {', '}
              <Link to={deskPages.order(orderId)} className="link" data-row>
                order <span className="font-mono">{endOfId(orderId)}</span>
              </Link>
            </>
          )}
        </p>
        <p className="text-muted whitespace-pre-line">{reason}</p>
      </div>
    </>
  );
}
