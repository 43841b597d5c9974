import type { FormEvent, ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { paths } from '../../../core/paths.ts';
import { Button, ButtonLink } from '../../components/ui/button.tsx';
import { ApiError, messageOf, post } from '../../lib/api-client.ts';
import { useHydrated } from '../../lib/browser.ts';
import { useSubmission } from '../../lib/use-submission.ts';

interface Props {
  /** The call that takes the token in the mail's link. */
  call: string;
  ask: { title: string; text: string; button: string; pending: string };
  done: { title: string; text: string };
}

/** One question and one button: for the two links in newsletter mails. */
export function NewsletterAction({ call, ask, done }: Props) {
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  const token = query.get('token') ?? '';
  const action = useSubmission({ call: () => post(call, { token }) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.submit();
  };

  if (action.isSuccess) return <Message title={done.title} text={done.text} isAnswer />;
  if (hydrated && token === '') return <Message {...incomplete} />;
  if (action.error && isRefused(action.error)) {
    return (
      <Message title="This link no longer works" text={messageOf(action.error, incomplete.text)} isAnswer />
    );
  }
  return (
    <Message title={ask.title} text={ask.text}>
      {/* Without script the form posts to the page's own address, token included. */}
      <form method="post" onSubmit={submit}>
        <Button type="submit" pending={action.isPending} pendingLabel={ask.pending}>
          {ask.button}
        </Button>
      </form>
      {action.error && (
        <p role="alert" className="mt-4 text-error">
          We could not reach our own systems. Please try again in a minute.
        </p>
      )}
    </Message>
  );
}

const incomplete = {
  title: 'This link is incomplete',
  text: 'Please open the complete link from our e-mail: some mail programs break long links in two.',
};

/** The button that had the focus is gone with the question. */
function takeFocus(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true });
}

function Message(props: { title: string; text: string; isAnswer?: boolean; children?: ReactNode }) {
  const { title, text, isAnswer, children } = props;
  return (
    <div className="content py-20 lg:py-28">
      <div role="status">
        <h1 ref={isAnswer ? takeFocus : null} tabIndex={-1} className="max-w-[13.7em] text-4xl">
          {title}
        </h1>
        <p className="mt-5 max-w-[37em] text-lg text-muted">{text}</p>
      </div>
      <div className="mt-8">
        {children ?? (
          <ButtonLink to={paths.home} look="secondary">
            Back to Home
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

const isRefused = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 429;
