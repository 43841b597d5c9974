import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { Dismissal, JobAction, OrderAction } from '../../../core/desk-actions.ts';
import { Button } from '../../components/ui/button.tsx';
import { TextArea } from '../../components/ui/field.tsx';
import { ApiError, codeOf, messageOf, post } from '../../lib/api-client.ts';
import { textFields } from '../../lib/form-data.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { deskApi, signInAgain } from './desk-paths.ts';
import { deskOrderQuery } from './order-queries.ts';

interface Form<Action> {
  label: string;
  children?: ReactNode;
  build: (asked: Pick<OrderAction, 'key' | 'reason'>, fields: Record<string, string>) => Action;
}

export function OrderActionForm({ orderId, ...form }: Form<OrderAction> & { orderId: string }) {
  return <ActionForm {...form} path={deskApi.actions(orderId)} shown={deskOrderQuery(orderId).queryKey} />;
}

/** Asks why, and then acts once: a repeated press, or a repeated call, has the same key. */
export function ActionForm<Action extends OrderAction | JobAction | Dismissal>(
  props: Form<Action> & {
    path: string;
    shown: QueryKey;
  },
) {
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const key = useRef(crypto.randomUUID());
  const [isMissing, setMissing] = useState(false);
  const acting = useSubmission({
    mutationFn: (wanted: Action) => post(props.path, wanted),
    onSuccess() {
      form.current?.reset();
      key.current = crypto.randomUUID();
    },
    onError(error) {
      // Not recorded. After any other failure it may have been: the key tells a repetition from another action.
      if (error instanceof ApiError && error.status < 500) key.current = crypto.randomUUID();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: props.shown }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!form.current) return;
    const { reason = '', ...fields } = textFields(form.current);
    setMissing(reason === '');
    if (reason === '') return form.current.querySelector('textarea')?.focus();
    acting.mutate(props.build({ key: key.current, reason }, fields));
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mt-3 grid gap-3">
      {props.children}
      <TextArea
        label="Reason"
        name="reason"
        rows={2}
        required
        maxLength={1000}
        error={isMissing ? 'A reason is required' : undefined}
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
        {acting.isSuccess && 'Recorded. What follows from it appears on the time line.'}
      </p>
      {acting.error && <Refusal error={acting.error} />}
    </form>
  );
}

function Refusal({ error }: { error: Error }) {
  return (
    <p role="alert" className="text-sm text-error">
      {messageOf(error, 'It could not be done. Please try again.')}{' '}
      {codeOf(error) === 'fresh_sign_in_required' && (
        <a href={signInAgain({ fresh: true })} className="link">
          Sign in again
        </a>
      )}
    </p>
  );
}
