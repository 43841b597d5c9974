import { ArtefactFrame } from './artefact-frame.tsx';

/** Phases in days from the start; the whole is 36 days. */
const DAYS = 36;
const phases = [
  { name: 'Dual write', from: 0, to: 36, tone: 'fill-accent' },
  { name: 'Backfill', from: 3, to: 17, tone: 'fill-edge' },
  { name: 'Verify', from: 10, to: 30, tone: 'fill-edge' },
  { name: 'Cut-over', from: 30, to: 31, tone: 'fill-before' },
  { name: 'Way back', from: 31, to: 36, tone: 'fill-after' },
] as const;

const facts = [
  { term: 'Backfilled', fact: '48.2 million rows, 0 differences' },
  { term: 'Replica lag at cut-over', fact: '0 ms' },
  { term: 'Writes paused', fact: '4 s' },
  { term: 'Requests failed', fact: '0' },
] as const;

/** A migration as a timeline of phases, under a band that says when the service was up: always. */
export function MigrationTimeline() {
  return (
    <ArtefactFrame
      title="migration plan, 36 days"
      note="MySQL 5.7 to PostgreSQL 18"
      caption="Both databases are written from the first day; history follows, is verified, and the cut-over takes seconds. For five more days there is a way back."
    >
      <div className="px-4 py-5 font-mono text-xs sm:px-5">
        <p className="flex h-7 items-center rounded bg-after-wash px-3 text-after">
          Service up, zero downtime
        </p>
        <ol className="mt-4 grid gap-2.5">
          {phases.map((phase) => (
            <li key={phase.name} className="grid grid-cols-[5.5rem_1fr] items-center gap-3">
              <span>
                {phase.name}
                <span className="sr-only">
                  , day {phase.from} to day {phase.to}
                </span>
              </span>
              <svg className="block h-5 w-full" aria-hidden="true">
                <rect width="100%" height="100%" rx="3" className="fill-line" opacity="0.5" />
                <rect
                  x={`${(phase.from / DAYS) * 100}%`}
                  width={`${((phase.to - phase.from) / DAYS) * 100}%`}
                  height="100%"
                  rx="3"
                  className={phase.tone}
                />
              </svg>
            </li>
          ))}
        </ol>
        <p aria-hidden="true" className="mt-2 flex justify-between pl-[6.25rem] text-muted">
          <span>day 0</span>
          <span>18</span>
          <span>36</span>
        </p>
      </div>
      <dl className="grid grid-cols-2 border-t border-line text-sm">
        {facts.map(({ term, fact }) => (
          <div key={term} className="border-line px-4 py-3 odd:border-r sm:px-5 [&:nth-child(n+3)]:border-t">
            <dt className="text-xs text-muted">{term}</dt>
            <dd className="figure mt-0.5 font-mono text-xs">{fact}</dd>
          </div>
        ))}
      </dl>
    </ArtefactFrame>
  );
}
