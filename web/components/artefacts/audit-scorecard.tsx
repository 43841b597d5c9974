import { ArtefactFrame } from './artefact-frame.tsx';
import { Bar } from './bar.tsx';

type Severity = 'Critical' | 'High' | 'Medium' | 'Low';

/** Points of 100 for each area; the whole is their mean. */
const areas = [
  { name: 'Indexes', score: 62 },
  { name: 'Locks', score: 81 },
  { name: 'Vacuum', score: 48 },
  { name: 'Backups', score: 55 },
  { name: 'Security', score: 84 },
] as const;

const overall = Math.round(areas.reduce((sum, area) => sum + area.score, 0) / areas.length);

const findings: readonly { severity: Severity; area: string; text: string }[] = [
  { severity: 'Critical', area: 'Backups', text: 'Restore takes 9 h 40 min, the promise is 4 h' },
  { severity: 'High', area: 'Vacuum', text: 'events: 71% of the ID space to wraparound used' },
  { severity: 'High', area: 'Indexes', text: 'orders: sequential scan in 38% of all reads' },
  { severity: 'Medium', area: 'Indexes', text: '14 indexes unused for 90 days, 61 GB' },
  { severity: 'Low', area: 'Security', text: 'Two superusers where none is needed' },
];

const badges: Record<Severity, string> = {
  Critical: 'bg-error-wash text-error',
  High: 'bg-before-wash text-before',
  Medium: 'bg-sunken text-muted',
  Low: 'bg-sunken text-muted',
};

/** The first page of an audit's report: five areas in points, and what was found, worst first. */
export function AuditScorecard() {
  return (
    <ArtefactFrame
      title="audit report, page 1"
      note="shop_production"
      caption="An audit’s first page: five areas in points of 100, and five of the findings, ranked by what they cost if they stay."
    >
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-6 px-4 py-5 sm:px-5">
        <p className="text-center">
          <span className="figure block font-mono text-4xl font-semibold">{overall}</span>
          <span className="text-xs text-muted">of 100</span>
        </p>
        <dl className="grid gap-1.5 font-mono text-xs">
          {areas.map((area) => (
            <div key={area.name} className="grid grid-cols-[4.5rem_1fr_1.5rem] items-center gap-3">
              <dt className="text-muted">{area.name}</dt>
              <dd className="contents">
                <Bar share={area.score / 100} tone={area.score < 60 ? 'before' : 'after'} />
                <span className="text-right">{area.score}</span>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <ol className="divide-y divide-line border-t border-line">
        {findings.map((finding) => (
          <li key={finding.text} className="flex items-baseline gap-3 px-4 py-2.5 text-sm sm:px-5">
            <span
              className={`w-18 shrink-0 rounded px-1.5 text-center text-xs leading-6 ${badges[finding.severity]}`}
            >
              {finding.severity}
            </span>
            <span className="min-w-0 flex-1">{finding.text}</span>
            <span className="hidden font-mono text-xs text-muted sm:block">{finding.area}</span>
          </li>
        ))}
      </ol>
    </ArtefactFrame>
  );
}
