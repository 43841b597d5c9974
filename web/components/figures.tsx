export interface Figure {
  value: string;
  label: string;
}

/** A row of figures, as a description list: the number and what it counts. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="grid grid-cols-2 gap-y-10 lg:grid-cols-4">
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
