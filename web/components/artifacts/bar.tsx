interface BarProps {
  share: number;
  tone: 'before' | 'after' | 'muted';
  className?: string;
}

const fills = { before: 'fill-before', after: 'fill-after', muted: 'fill-edge' };

/** A bar whose length is an attribute, since the security policy admits no inline style. */
export function Bar({ share, tone, className = 'h-2' }: BarProps) {
  return (
    <svg className={`block w-full ${className}`} aria-hidden="true" preserveAspectRatio="none">
      <rect width="100%" height="100%" rx="3" className="fill-line" opacity="0.6" />
      <rect
        width={`${Math.max(0.6, Math.round(share * 1000) / 10)}%`}
        height="100%"
        rx="3"
        className={`bar-fill ${fills[tone]}`}
      />
    </svg>
  );
}
