/** A grey bar that holds the place of text to come. The waiting itself is told once, in words, by whoever shows it. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden="true" className={`skeleton block rounded bg-line ${className}`} />;
}
