/** A placeholder bar. The page announces the wait once, in words. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden="true" className={`skeleton block rounded bg-line ${className}`} />;
}
