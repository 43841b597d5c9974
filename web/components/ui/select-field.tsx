import type { ComponentProps } from 'react';
import { Chevron } from './chevron.tsx';
import { control, edge, type FieldFrame, Frame } from './field.tsx';

/** Apart from the other fields, which the home page needs. */
export function SelectField({
  label,
  error,
  hint,
  optional,
  className,
  ...rest
}: FieldFrame & ComponentProps<'select'>) {
  return (
    <Frame label={label} error={error} hint={hint} optional={optional ?? false} className={className}>
      {(aria) => (
        <span className="relative block">
          <select {...rest} {...aria} className={`${control} appearance-none pr-10 ${edge(error)}`} />
          <Chevron className="pointer-events-none absolute right-3.5 top-1/2 -translate-y-1/2" />
        </span>
      )}
    </Frame>
  );
}
