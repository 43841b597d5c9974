import { ArtifactFrame } from './artifact-frame.tsx';
import {
  BACKFILL_RATE,
  CUT_OVER,
  DAYS,
  type Phase,
  phases,
  place,
  type Stretch,
  weeks,
} from './migration-phases.ts';
import { inThousands } from './query-plan-data.ts';

/** A migration as a timeline of phases, under a band that says when the service was up: always. */
export function MigrationTimeline() {
  return (
    <ArtifactFrame
      title={`migration, ${DAYS} days`}
      note="MySQL to PostgreSQL"
      caption="Both databases are written from the first day; history follows, is verified, and reads move in seconds. The old database stays current after the cut-over, so there is a way back."
    >
      <div className="px-4 py-5 font-mono text-xs sm:px-5">
        <div className={row}>
          <span>Service</span>
          <p className="flex h-7 items-center rounded bg-after-wash px-2.5 text-after">zero downtime</p>
        </div>
        <ul className="mt-2">
          {phases.map((phase) => (
            <PhaseRow key={phase.name} phase={phase} />
          ))}
        </ul>
        <p className="sr-only">Cut-over on day {CUT_OVER}</p>
        <Axis />
      </div>
      <dl className="grid grid-cols-2 border-t border-line">
        {facts.map(({ term, fact }) => (
          <div key={term} className="border-line px-4 py-3 odd:border-r sm:px-5 [&:nth-child(n+3)]:border-t">
            <dt className="text-xs text-muted">{term}</dt>
            <dd className="figure mt-0.5 font-mono text-xs">{fact}</dd>
          </div>
        ))}
      </dl>
    </ArtifactFrame>
  );
}

const facts = [
  { term: 'Backfill, throttled', fact: `${inThousands(BACKFILL_RATE)} rows/s` },
  { term: 'Differences found', fact: '0 in 2.1 billion rows' },
  { term: 'Longest write wait at the cut-over', fact: '4 s' },
  { term: 'Requests failed', fact: '0' },
] as const;

const row = 'grid grid-cols-[5.25rem_1fr] items-center gap-x-3';
const bars: Record<Stretch['tone'], string> = {
  old: 'fill-line',
  work: 'fill-accent',
  new: 'fill-after-ink',
};
const labels: Record<Stretch['tone'], string> = {
  old: 'fill-ink',
  work: 'fill-on-accent',
  new: 'fill-paper',
};

function PhaseRow({ phase }: { phase: Phase }) {
  return (
    <li className={row}>
      <span>
        {phase.name}
        {phase.stretches.map((stretch) => (
          <span key={stretch.label} className="sr-only">
            , {stretch.label}, day {stretch.from} to day {stretch.to}
          </span>
        ))}
      </span>
      <svg className="block h-8 w-full" aria-hidden="true">
        <rect y="4" width="100%" height="24" rx="4" className="fill-sunken" />
        {phase.stretches.map((stretch) => (
          <StretchBar key={stretch.label} stretch={stretch} />
        ))}
        <CutOverLine />
      </svg>
    </li>
  );
}

function StretchBar({ stretch }: { stretch: Stretch }) {
  const { from, to, label, tone } = stretch;
  return (
    <>
      <rect
        x={`${place(from)}%`}
        y="4"
        width={`${place(to) - place(from)}%`}
        height="24"
        rx="4"
        className={bars[tone]}
      />
      <text
        x={`${(place(from) + place(to)) / 2}%`}
        y="20.5"
        textAnchor="middle"
        className={`max-sm:hidden ${labels[tone]}`}
      >
        {label}
      </text>
    </>
  );
}

function CutOverLine() {
  const x = `${place(CUT_OVER)}%`;
  return (
    <line x1={x} x2={x} y1="0" y2="32" strokeWidth="2" strokeDasharray="4 4" className="stroke-before" />
  );
}

/** The weeks, and the cut-over where its line ends. */
function Axis() {
  return (
    <div className={row}>
      <span aria-hidden="true" className="self-start leading-6 text-muted">
        day
      </span>
      <svg className="block h-11 w-full overflow-visible" aria-hidden="true">
        {weeks.map((day) => (
          <text key={day} x={`${place(day)}%`} y="17" textAnchor="middle" className="fill-muted">
            {day}
          </text>
        ))}
        <text x={`${place(CUT_OVER)}%`} y="39" textAnchor="middle" className="fill-before-ink font-semibold">
          Cut-over
        </text>
      </svg>
    </div>
  );
}
