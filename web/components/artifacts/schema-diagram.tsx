import { Fragment } from 'react';
import { ArtifactFrame } from './artifact-frame.tsx';
import { type Column, clean, costs, type Home, relations, type Table, wide } from './schema-tables.ts';

/** One wide table whose columns repeat, and the three that hold every fact once. */
export function SchemaDiagram() {
  return (
    <ArtifactFrame
      title="schema review, orders"
      note={`1 table to ${clean.length}`}
      caption="One wide table repeats its customer in every row and stops at three items. Three tables hold each fact once, with keys that keep them together and types that keep them true."
    >
      <div className="grid gap-x-6 gap-y-6 px-4 py-5 sm:grid-cols-2 sm:px-5">
        <div className="flex min-w-0 flex-col">
          <p className="mb-2 text-sm font-medium">Before</p>
          <TableBox table={wide} stage="before" />
          <dl className="mt-auto grid pt-4 text-xs">
            {costs.map(({ term, fact }) => (
              <div key={term} className="flex justify-between gap-3 border-t border-line py-1.5">
                <dt className="text-muted">{term}</dt>
                <dd className="shrink-0 font-mono text-before">{fact}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div className="min-w-0">
          <p className="mb-2 text-sm font-medium">After</p>
          {clean.map((table, index) => (
            <Fragment key={table.name}>
              {index > 0 && <Relation text={relations[index - 1] ?? ''} />}
              <TableBox table={table} stage="after" />
            </Fragment>
          ))}
        </div>
      </div>
    </ArtifactFrame>
  );
}

/** The color that a column keeps on its way into its table. */
const marks: Record<Home, string> = {
  customers: 'fill-before',
  orders: 'fill-edge',
  order_items: 'fill-accent',
};

function TableBox({ table, stage }: { table: Table; stage: 'before' | 'after' }) {
  return (
    <div className="overflow-hidden rounded-md border border-edge font-mono text-xs">
      <p className="flex items-center gap-2 border-b border-edge bg-sunken px-3 py-1.5 font-semibold">
        {stage === 'after' && <Mark home={table.name} />}
        {table.name}
      </p>
      <ul className="px-3 py-1.5">
        {table.columns.map((column) => (
          <ColumnRow key={column.name} column={column} />
        ))}
      </ul>
    </div>
  );
}

function ColumnRow({ column }: { column: Column }) {
  return (
    <li className="flex items-center justify-between gap-2 leading-6">
      <span className={`flex min-w-0 items-center gap-2 ${column.keys ? 'text-ink' : 'text-muted'}`}>
        {column.moves && <Mark home={column.moves} />}
        {column.name}
        {column.moves && <span className="sr-only">, moves to {column.moves}</span>}
      </span>
      <span className="shrink-0 text-right text-muted">
        {column.keys && <span className="font-semibold text-after">{column.keys} </span>}
        {column.type}
      </span>
    </li>
  );
}

function Mark({ home }: { home: Home }) {
  return (
    <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden="true">
      <rect width="8" height="8" rx="2" className={marks[home]} />
    </svg>
  );
}

/** A crow's foot: one above, many below. */
function Relation({ text }: { text: string }) {
  return (
    <p className="flex h-8 items-center gap-2 pl-5 text-xs text-muted">
      <svg
        viewBox="0 0 12 32"
        className="h-8 w-3 text-after"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
      >
        <path d="M6 0v32M6 22l-5 10M6 22l5 10M2 4h8" strokeWidth="1.5" />
      </svg>
      {text}
    </p>
  );
}
