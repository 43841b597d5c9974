import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeskOrder, TimelineEntry } from '../../../core/desk-order.ts';
import type { StaffView } from '../../../core/staff.ts';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { OrderActionForm } from './action-form.tsx';
import { deskApi } from './desk-api.ts';
import { Disclosure } from './disclosure.tsx';
import { deskOrderQuery, mailQuery } from './order-queries.ts';
import { Id, Moment, TextWithIds } from './parts.tsx';
import { ReasonForm } from './reason-form.tsx';

const kinds: Record<TimelineEntry['what'], string> = {
  move: 'Status',
  event: 'Event',
  job: 'Job',
  mail: 'E-mail',
  transfer: 'Bank',
  person: 'Staff',
};

/** Everything that happened to the order, oldest first. E-mails open and can be sent again, ignored events applied again. */
export function Timeline({ order, me }: { order: DeskOrder; me: StaffView }) {
  return (
    <section aria-label="Timeline" className="rounded-card border border-line bg-surface p-5">
      <h2 className="text-lg">Timeline</h2>
      <ol className="mt-3 text-sm">
        {order.timeline.map((entry) => (
          <li
            key={`${entry.what} ${entry.id}`}
            className="grid gap-x-3 border-l-2 border-line py-1.5 pl-3 sm:grid-cols-[5rem_1fr] data-[what=move]:border-accent data-[what=person]:border-before"
            data-what={entry.what}
          >
            <span className="text-muted">{kinds[entry.what]}</span>
            <div className="min-w-0 wrap-anywhere">
              <TextWithIds text={entry.text} />
              <span className="block text-xs text-muted">
                <Moment at={entry.at} />
                {entry.requestId && (
                  <>
                    , request <Id id={entry.requestId} />
                  </>
                )}
              </span>
              {entry.what === 'event' && entry.status === 'ignored' && me.role === 'operator' && (
                <Replay orderId={order.id} eventId={entry.id} />
              )}
              {entry.what === 'transfer' && entry.status === 'open' && (
                <ReasonForm
                  label="Dismiss"
                  path={deskApi.dismissTransfer(entry.id)}
                  me={me}
                  shown={deskOrderQuery(order.id).queryKey}
                />
              )}
              {entry.what === 'mail' && <Mail orderId={order.id} emailId={entry.id} me={me} />}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface MailProps {
  orderId: string;
  emailId: string;
  me: StaffView;
}

function Mail({ orderId, emailId, me }: MailProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure label={me.role === 'operator' ? 'Read or send again' : 'Read'} onToggle={setOpen}>
      {isOpen && <MailText orderId={orderId} emailId={emailId} me={me} />}
    </Disclosure>
  );
}

function Replay({ orderId, eventId }: { orderId: string; eventId: string }) {
  return (
    <Disclosure label="Apply again">
      <OrderActionForm
        orderId={orderId}
        label="Apply again"
        build={(asked) => ({ ...asked, action: 'replay', eventId })}
      />
    </Disclosure>
  );
}

function MailText({ orderId, emailId, me }: MailProps) {
  const mail = useQuery(mailQuery(orderId, emailId));
  if (mail.isPending) return <Skeleton className="mt-2 h-24 w-full" />;
  if (mail.data === null)
    return <p className="mt-2 text-muted">This e-mail is no longer relevant and would not be sent.</p>;
  return (
    <>
      {mail.isError ? (
        <p role="alert">The e-mail could not be loaded.</p>
      ) : (
        <div className="mt-2 rounded-control bg-sunken p-3">
          <p className="font-medium">{mail.data.subject}</p>
          <pre className="mt-2 font-mono text-xs whitespace-pre-wrap">{mail.data.text}</pre>
        </div>
      )}
      {me.role === 'operator' && (
        <OrderActionForm
          orderId={orderId}
          label="Send again"
          build={(asked) => ({ ...asked, action: 'resend', emailId })}
        />
      )}
    </>
  );
}
