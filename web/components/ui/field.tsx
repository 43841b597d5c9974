import { type ComponentProps, type ReactNode, useId } from 'react';

export interface FrameProps {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  optional?: boolean | undefined;
  /** Of the field as a whole. */
  className?: string | undefined;
}

interface Control {
  id: string;
  className: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export function TextField(props: FrameProps & ComponentProps<'input'>) {
  const [frame, rest] = apart(props);
  return <Frame {...frame}>{(control) => <input type="text" {...rest} {...control} />}</Frame>;
}

export function TextArea(props: FrameProps & ComponentProps<'textarea'>) {
  const [frame, rest] = apart(props);
  return (
    <Frame {...frame}>
      {({ className, ...control }) => <textarea {...rest} {...control} className={`${className} resize-y`} />}
    </Frame>
  );
}

/** What concerns the frame, and what concerns the control. */
export function apart<Props extends FrameProps>(props: Props) {
  const { label, error, hint, optional, className, ...rest } = props;
  return [{ label, error, hint, optional, className }, rest] as const;
}

/** Label, control, error and hint. */
export function Frame(props: FrameProps & { children: (control: Control) => ReactNode }) {
  const id = useId();
  const described = [props.error && `${id}-error`, props.hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={props.className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium text-ink">
        {props.label}
        {props.optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {props.children({
        id,
        className: `control block w-full rounded-control border bg-surface px-3.5 py-2.5 text-base text-ink placeholder:text-muted ${
          props.error ? 'border-error' : 'border-edge hover:border-muted'
        }`,
        'aria-invalid': props.error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {props.error && (
        <p id={`${id}-error`} className="mt-1.5 flex gap-1.5 text-sm text-error">
          <span aria-hidden="true">!</span> {props.error}
        </p>
      )}
      {props.hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {props.hint}
        </p>
      )}
    </div>
  );
}
