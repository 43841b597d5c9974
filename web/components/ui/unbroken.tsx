import type { ReactNode } from 'react';

/** A text whose ranges ('2-3 weeks') and 'e-mail' are not split at the end of a line, except where text is very large. */
export function Unbroken({ children }: { children: string }): ReactNode {
  const [before, unit, after = ''] = children.split(/(\d{1,3}-\d{1,3} \w{1,20}|e-mail)(.*)/s);
  if (!unit) return children;
  return (
    <>
      {before}
      <span className="unbroken">{unit}</span>
      <Unbroken>{after}</Unbroken>
    </>
  );
}
