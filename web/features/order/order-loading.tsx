import { Skeleton } from '../../components/ui/skeleton.tsx';

export function OrderLoading() {
  return (
    <div>
      <div role="status">
        <LoadingHeading />
      </div>
      <LoadingCards />
    </div>
  );
}

export function LoadingHeading() {
  return (
    <div className="flex flex-col items-start gap-5 sm:flex-row">
      <Skeleton className="size-14 shrink-0 rounded-full" />
      <div className="w-full">
        <h1 className="text-3xl sm:text-4xl">Loading order details...</h1>
        <Skeleton className="mt-5 h-5 w-full max-w-md" />
      </div>
    </div>
  );
}

export function LoadingCards() {
  return (
    <div className="mt-10 grid grid-cols-1 items-start gap-6 lg:grid-cols-[1.25fr_1fr]">
      <WaitingCard rows={rows} height="h-13" />
      <WaitingCard rows={rows.slice(0, 3)} height="h-20" />
    </div>
  );
}

const rows = ['w-2/3', 'w-1/2', 'w-2/5', 'w-1/3', 'w-1/4', 'w-3/5', 'w-5/12'] as const;

function WaitingCard(props: { rows: readonly string[]; height: string }) {
  return (
    <div className="rounded-card border border-line bg-surface p-6 sm:p-8">
      <Skeleton className="h-6 w-40 max-w-full" />
      <div className="mt-4 divide-y divide-line">
        {props.rows.map((width) => (
          <div key={width} className={`flex items-center ${props.height}`}>
            <Skeleton className={`h-4 ${width}`} />
          </div>
        ))}
      </div>
    </div>
  );
}
