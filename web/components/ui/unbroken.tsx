import type { ReactNode } from 'react';

/** Keeps ranges ('2-3 weeks') and 'e-mail' on one line, unless the text is too large to fit. */
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
