import { Skeleton } from '../../components/ui/skeleton.tsx';

/** The result page while the order is on its way, in the shape that it will have. */
export function OrderLoading() {
  return (
    <div>
      <div className="flex flex-col items-start gap-5 sm:flex-row">
        <Skeleton className="size-14 shrink-0 rounded-full" />
        <div className="w-full">
          <h1 role="status" className="text-3xl sm:text-4xl">
            Loading order details...
          </h1>
          <Skeleton className="mt-5 h-5 w-full max-w-md" />
        </div>
      </div>
      <div className="mt-10 grid items-start gap-6 lg:grid-cols-[1.25fr_1fr]">
        <Skeleton className="h-112 rounded-card" />
        <Skeleton className="h-80 rounded-card" />
      </div>
    </div>
  );
}
