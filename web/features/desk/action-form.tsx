import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { OrderAction, PlainAction } from '../../../core/desk-actions.ts';
import { Button } from '../../components/ui/button.tsx';
import { TextArea } from '../../components/ui/field.tsx';
import { ApiError, codeOf, messageOf, post } from '../../lib/api-client.ts';
import { textFields } from '../../lib/form-data.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { deskApi, signInAgain } from './desk-api.ts';
import { deskOrderQuery } from './order-queries.ts';
import { checkSession, isSignedOut } from './session.ts';

interface Form<Action> {
  label: string;
  /** What the reason is called. */
  reason?: string;
  children?: ReactNode;
  build: (asked: PlainAction, fields: Record<string, string>) => Action;
}

export function OrderActionForm({ orderId, ...form }: Form<OrderAction> & { orderId: string }) {
  return (
    <ActionForm
      {...form}
      path={deskApi.actions(orderId)}
      shown={deskOrderQuery(orderId).queryKey}
      recorded="Recorded. The results appear on the timeline."
    />
  );
}

/** Acts, and returns what to show. @throws ApiError unless 2xx */
export type Send = (path: string, wanted: PlainAction) => Promise<string>;

interface Props<Action> extends Form<Action> {
  path: string;
  /** What is read again afterwards. */
  shown?: QueryKey;
  /** Calls that each have a record, such as exports. Others may be repeated with their key. */
  isRecordedEachTime?: boolean;
  send?: Send;
  /** What is shown without {@link send}. */
  recorded?: string;
}

/** Asks why, and then acts once: a repeated press, or a repeated call, has the same key. */
export function ActionForm<Action extends PlainAction>(props: Props<Action>) {
  const { path, shown, recorded = 'Recorded.', reason: reasonLabel = 'Reason' } = props;
  const send: Send = props.send ?? ((...call) => post(...call).then(() => recorded));
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const key = useRef(crypto.randomUUID());
  const [isMissing, setMissing] = useState(false);
  const acting = useSubmission({
    call: (wanted: Action) => send(path, wanted),
    onSuccess() {
      form.current?.reset();
      key.current = crypto.randomUUID();
    },
    onError(error) {
      // A 4xx was not recorded, so the next attempt is a new action. After any other failure it may have been: keep the key.
      const isRecorded = !(error instanceof ApiError && error.status < 500);
      if (!isRecorded || props.isRecordedEachTime) key.current = crypto.randomUUID();
      return checkSession(queryClient, error);
    },
    onSettled: () => shown && queryClient.invalidateQueries({ queryKey: shown }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!form.current) return;
    const { reason = '', ...fields } = textFields(form.current);
    setMissing(reason === '');
    if (reason === '') return form.current.querySelector('textarea')?.focus();
    acting.submit(props.build({ key: key.current, reason }, fields));
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mt-3 grid gap-3">
      {props.children}
      <TextArea
        label={reasonLabel}
        name="reason"
        rows={2}
        required
        maxLength={1000}
        error={isMissing ? `A ${reasonLabel.toLowerCase()} is required` : undefined}
      />
      <Button
        type="submit"
        pending={acting.isPending}
        pendingLabel="One moment..."
        className="w-full !py-2.5"
      >
        {props.label}
      </Button>
      <p role="status" className={acting.isSuccess ? 'text-sm text-after' : 'sr-only'}>
        {acting.data}
      </p>
      {acting.error && <Refusal error={acting.error} />}
    </form>
  );
}

function Refusal({ error }: { error: Error }) {
  const isNotFresh = codeOf(error) === 'fresh_sign_in_required';
  return (
    <p role="alert" className="text-sm text-error">
      {messageOf(error, 'It could not be done. Please try again.')}{' '}
      {(isNotFresh || isSignedOut(error)) && (
        <a href={signInAgain({ fresh: isNotFresh })} className="link">
          Sign in again
        </a>
      )}
    </p>
  );
}
