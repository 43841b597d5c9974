import type { ComponentProps, ReactNode } from 'react';
import { SiteLink } from './link.tsx';

type Look = 'primary' | 'secondary' | 'quiet';

const base =
  'button inline-flex items-center justify-center gap-2 rounded-control border px-4 py-3 text-base sm:px-5 font-medium leading-6 no-underline transition-colors duration-150';
const looks: Record<Look, string> = {
  primary:
    'border-transparent bg-accent text-on-accent hover:bg-accent-strong disabled:bg-line disabled:text-muted disabled:hover:bg-line',
  secondary: 'border-edge bg-surface text-ink hover:border-ink',
  quiet: 'border-transparent text-accent hover:bg-accent-wash',
};

const classes = (look: Look, className = '') => `${base} ${looks[look]} ${className}`;

interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  /** Shows `pendingLabel`, keeps width and focus, and ignores clicks. */
  pending?: boolean;
  pendingLabel?: string;
}

export function Button({
  look = 'primary',
  pending = false,
  pendingLabel,
  children,
  onClick,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      className={classes(look, className)}
    >
      {pendingLabel ? (
        <StackedLabels idle={children} pendingLabel={pendingLabel} pending={pending} />
      ) : (
        children
      )}
    </button>
  );
}

function StackedLabels(props: { idle: ReactNode; pendingLabel: string; pending: boolean }) {
  return (
    <span className="grid place-items-center">
      <span className={`col-start-1 row-start-1 ${props.pending ? 'invisible' : ''}`}>{props.idle}</span>
      <span className={`col-start-1 row-start-1 ${props.pending ? '' : 'invisible'}`}>
        {props.pendingLabel}
      </span>
    </span>
  );
}

interface ButtonLinkProps {
  to: string;
  look?: Look;
  className?: string;
  children: ReactNode;
  'aria-label'?: string;
  onClick?: ComponentProps<'a'>['onClick'];
}

export function ButtonLink({ look = 'primary', className, ...rest }: ButtonLinkProps) {
  return <SiteLink {...rest} className={classes(look, className)} />;
}
