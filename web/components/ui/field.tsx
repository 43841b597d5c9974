import { type ComponentProps, type ReactNode, useId } from 'react';

export interface FieldFrame {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  optional?: boolean;
}

export const control =
  'control block w-full rounded-control border bg-surface px-3.5 py-2.5 text-base text-ink placeholder:text-muted';
export const edge = (error?: string) => (error ? 'border-error' : 'border-edge hover:border-muted');

export function TextField({
  label,
  error,
  hint,
  optional,
  className,
  ...rest
}: FieldFrame & ComponentProps<'input'>) {
  return (
    <Frame label={label} error={error} hint={hint} optional={optional ?? false} className={className}>
      {(aria) => <input type="text" {...rest} {...aria} className={`${control} ${edge(error)}`} />}
    </Frame>
  );
}

export function TextArea({
  label,
  error,
  hint,
  optional,
  className,
  ...rest
}: FieldFrame & ComponentProps<'textarea'>) {
  return (
    <Frame label={label} error={error} hint={hint} optional={optional ?? false} className={className}>
      {(aria) => <textarea {...rest} {...aria} className={`${control} resize-y ${edge(error)}`} />}
    </Frame>
  );
}

interface ControlAria {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export function Frame(
  props: Omit<FieldFrame, 'optional'> & {
    optional: boolean;
    className?: string | undefined;
    children: (aria: ControlAria) => ReactNode;
  },
) {
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
