/** A plan node that splits into two; legible at 16 px. */
function Mark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" fill="none">
      <path d="M16 12v4M8 20v-4h16v4" stroke="currentColor" strokeWidth="2.5" strokeLinejoin="round" />
      <rect x="11" y="2" width="10" height="10" rx="2" className="fill-accent" />
      <rect x="3" y="20" width="10" height="10" rx="2" fill="currentColor" />
      <rect x="19" y="20" width="10" height="10" rx="2" fill="currentColor" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="flex items-center gap-2.5">
      <Mark />
      <span className="wordmark-text text-lg font-semibold tracking-[-0.03em]">Querywright</span>
    </span>
  );
}
