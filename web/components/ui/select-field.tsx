import type { ComponentProps } from 'react';
import { Chevron } from './chevron.tsx';
import { apart, Frame, type FrameProps } from './field.tsx';

/** Apart from the other fields, which the home page needs. */
export function SelectField(props: FrameProps & ComponentProps<'select'>) {
  const [frame, rest] = apart(props);
  return (
    <Frame {...frame}>
      {({ className, ...control }) => (
        <span className="relative block">
          <select {...rest} {...control} className={`${className} appearance-none pr-10`} />
          <Chevron className="pointer-events-none absolute right-3.5 top-1/2 -translate-y-1/2" />
        </span>
      )}
    </Frame>
  );
}
