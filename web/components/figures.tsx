interface Figure {
  value: string;
  label: string;
}

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={`grid gap-y-10 ${columns(figures.length)}`}>
      {figures.map((figure) => (
        <div
          key={figure.label}
          className="flex flex-col-reverse justify-end border-l border-line pl-5 lg:pl-7"
        >
          <dt className="text-sm text-muted">{figure.label}</dt>
          <dd className="figure text-4xl font-semibold tracking-[-0.03em]">{figure.value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Three figures fit in one row from tablets on, four need two on narrow screens. */
function columns(count: number): string {
  return count === 3 ? 'grid-cols-1 sm:grid-cols-3' : 'grid-cols-2 lg:grid-cols-4';
}
