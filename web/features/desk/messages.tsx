import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PlainAction } from '../../../core/desk-actions.ts';
import type { DeskMessage } from '../../../core/desk-people.ts';
import type { StaffView } from '../../../core/staff.ts';
import { mailto } from '../../lib/mailto.ts';
import { ActionForm } from './action-form.tsx';
import { deskApi } from './desk-api.ts';
import { Disclosure } from './disclosure.tsx';
import { ListState, Moment, More } from './parts.tsx';
import { messagesQuery } from './people-queries.ts';

/** The messages that wait, the oldest first; or all of them. Staff reply from their own mail program. */
export function Messages({ me }: { me: StaffView }) {
  const [open, setOpen] = useState(true);
  const list = useInfiniteQuery(messagesQuery(open));
  const messages = list.data?.pages.flatMap((page) => page.messages) ?? [];
  const [answered, setAnswered] = useState<string>();
  return (
    <>
      <label className="mt-2 flex items-center gap-2 text-sm text-muted">
        <input type="checkbox" checked={!open} onChange={(event) => setOpen(!event.target.checked)} />
        Show answered messages too
      </label>
      <ListState list={list} />
      {list.data && messages.length === 0 && (
        <p className="mt-4 text-muted">{open ? 'Every message is answered.' : 'No messages yet.'}</p>
      )}
      <ul tabIndex={-1} aria-label="Messages" className="mt-3 divide-y divide-line">
        {messages.map((message) => (
          <li key={message.id} className="py-4 text-sm first:pt-1">
            <Message
              message={message}
              canAct={me.role === 'operator'}
              onAnswered={() => setAnswered(message.name)}
            />
          </li>
        ))}
      </ul>
      <p role="status" className={answered ? 'mt-3 text-sm text-muted wrap-anywhere' : 'sr-only'}>
        {answered && `Marked as answered: ${answered}.`}
      </p>
      <More list={list} />
    </>
  );
}

function Message(props: { message: DeskMessage; canAct: boolean; onAnswered: () => void }) {
  const { message, canAct, onAnswered } = props;
  const { id, name, email, createdAt, answeredAt } = message;
  return (
    <>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
        <span className="text-muted">
          <Moment at={createdAt} />
        </span>
      </p>
      <p className="mt-1 wrap-anywhere whitespace-pre-line">{message.message}</p>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <a href={mailto(email, 'Your message to Querywright')} className="link wrap-anywhere" data-row>
          Answer {email}
        </a>
        {answeredAt && (
          <span className="text-muted">
            Answered <Moment at={answeredAt} />
          </span>
        )}
      </div>
      {!answeredAt && canAct && (
        <Disclosure
          label="Mark as answered"
          ariaLabel={`Mark ${name}’s message as answered`}
          className="mt-2"
        >
          <ActionForm<PlainAction>
            path={deskApi.answered(id)}
            shown={[deskApi.messages]}
            label="Mark as answered"
            onDone={onAnswered}
            build={(asked) => asked}
          />
        </Disclosure>
      )}
    </>
  );
}
