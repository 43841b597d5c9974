import { Skeleton } from '../../components/ui/skeleton.tsx';

/** As tall as the card fields, so that nothing moves when they load. */
export function CardSkeleton() {
  return (
    <div className="min-h-[304px]">
      <p role="status" className="sr-only">
        Loading the card form
      </p>
      <Skeleton className="h-12 w-full" />
      <div className="mt-4 grid grid-cols-2 gap-4">
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
      </div>
      <Skeleton className="mt-4 h-12 w-full" />
      <Skeleton className="mt-8 h-13 w-full" />
    </div>
  );
}
