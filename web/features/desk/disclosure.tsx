import type { ReactNode } from 'react';

interface Props {
  label: string;
  /** For screen readers, where the label says too little without what is beside it. */
  ariaLabel?: string;
  /** Whether `j` and `k` stop here: there is no link beside it. */
  isRow?: boolean;
  className?: string;
  onToggle?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** Collapsed by default, for rarely used controls. */
export function Disclosure(props: Props) {
  const { label, ariaLabel, isRow = false, className = 'mt-1', onToggle, children } = props;
  return (
    <details className={className} onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary className="link w-fit" aria-label={ariaLabel} data-row={isRow || undefined}>
        {label}
      </summary>
      {children}
    </details>
  );
}
