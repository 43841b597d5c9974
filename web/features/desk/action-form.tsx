import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef } from 'react';
import type { OrderAction, PlainAction } from '../../../core/desk-actions.ts';
import { Button } from '../../components/ui/button.tsx';
import { TextArea } from '../../components/ui/field.tsx';
import { ApiError, codeOf, fieldsOf, messageOf, post } from '../../lib/api-client.ts';
import { textFields } from '../../lib/form-data.ts';
import { type FieldErrors, useFieldErrors } from '../../lib/use-field-errors.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { deskApi, signInAgain } from './desk-api.ts';
import { deskOrderQuery } from './order-queries.ts';
import { checkSession } from './session.ts';
import { useKeptFocus } from './use-kept-focus.ts';

interface Form<Action> {
  label: string;
  /** Moves money, ends an order or erases: cannot be undone. */
  isFinal?: boolean;
  /** What the reason is called. */
  reason?: string;
  /** Rendered above the reason, with the fields' errors. */
  children?: ReactNode | ((errors: FieldErrors) => ReactNode);
  /** Returns errors by field name. */
  check?: (fields: Record<string, string>) => FieldErrors;
  build: (asked: PlainAction, fields: Record<string, string>) => Action;
}

export const orderActionRecorded = 'Recorded. The results appear on the timeline.';

type OrderForm = Form<OrderAction> & { orderId: string } & Pick<Props<OrderAction>, 'onDone'>;

export function OrderActionForm({ orderId, ...form }: OrderForm) {
  return (
    <ActionForm
      {...form}
      path={deskApi.actions(orderId)}
      shown={deskOrderQuery(orderId).queryKey}
      recorded={orderActionRecorded}
    />
  );
}

/** What to show after an action. `isNeutral`: nothing was changed, so the form keeps its input. */
export interface Outcome {
  text: string;
  isNeutral?: boolean;
}

/** @throws ApiError unless 2xx */
export type Send<Action = PlainAction> = (path: string, wanted: Action) => Promise<Outcome>;

interface Props<Action> extends Form<Action> {
  path: string;
  /** What is read again afterwards. */
  shown?: QueryKey;
  /** Calls that each have a record, such as exports. Others may be repeated with their key. */
  isRecordedEachTime?: boolean;
  send?: Send<Action>;
  /** Shows the outcome instead of the form, which refetching `shown` may remove. */
  onDone?: () => void;
  /** What is shown without {@link send}. */
  recorded?: string;
}

/** Asks why, and then acts once: a repeated press, or a repeated call, has the same key. */
export function ActionForm<Action extends PlainAction>(props: Props<Action>) {
  const { path, shown, recorded = 'Recorded.', reason: reasonLabel = 'Reason' } = props;
  const send: Send<Action> = props.send ?? ((...call) => post(...call).then(() => ({ text: recorded })));
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  useKeptFocus(form);
  const key = useRef(crypto.randomUUID());
  const { errors, show, clear } = useFieldErrors(form);
  const acting = useSubmission({
    call: (wanted: Action) => send(path, wanted),
    onSuccess({ isNeutral }) {
      if (!isNeutral) form.current?.reset();
      key.current = crypto.randomUUID();
      props.onDone?.();
    },
    onError(error) {
      show(fieldsOf(error));
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
    const found = {
      ...props.check?.(fields),
      ...(reason ? {} : { reason: `A ${reasonLabel.toLowerCase()} is required` }),
    };
    show(found);
    if (Object.keys(found).length > 0) return;
    acting.submit(props.build({ key: key.current, reason }, fields));
  };
  return (
    <form ref={form} onSubmit={submit} onInput={clear} noValidate className="mt-3 grid gap-3">
      {typeof props.children === 'function' ? props.children(errors) : props.children}
      <TextArea label={reasonLabel} name="reason" rows={2} required maxLength={1000} error={errors.reason} />
      <Button
        type="submit"
        pending={acting.isPending}
        pendingLabel="One moment..."
        look={props.isFinal ? 'secondary' : 'primary'}
        className={`w-full !py-2.5 ${props.isFinal ? '!border-error !text-error' : ''}`}
      >
        {props.label}
      </Button>
      {!props.onDone && (
        <p role="status" className={acting.isSuccess ? outcomeLook(acting.data) : 'sr-only'}>
          {acting.data?.text}
        </p>
      )}
      {acting.error && <Refusal error={acting.error} />}
    </form>
  );
}

function outcomeLook({ isNeutral }: Outcome): string {
  return isNeutral ? 'text-sm' : 'text-sm text-after';
}

function Refusal({ error }: { error: Error }) {
  const isNotFresh = codeOf(error) === 'fresh_sign_in_required';
  const hasEnded = error instanceof ApiError && error.status === 401;
  return (
    <p role="alert" className="text-sm text-error">
      {messageOf(error, 'The action failed. Please try again.')}{' '}
      {(isNotFresh || hasEnded) && (
        <a href={signInAgain({ fresh: isNotFresh })} className="link">
          Sign in again
        </a>
      )}
    </p>
  );
}
