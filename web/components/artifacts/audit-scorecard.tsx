import { ArtifactFrame } from './artifact-frame.tsx';
import {
  type Area,
  areas,
  countOf,
  findingCount,
  overall,
  type Severity,
  scoreOf,
  severities,
  worst,
} from './audit-findings.ts';
import { Bar } from './bar.tsx';

/** Points from which an area is well kept. */
const GOOD = 65;

export function AuditScorecard() {
  return (
    <ArtifactFrame
      title="audit report, page 1"
      note="shop_production"
      caption={`An audit’s first page: five areas in points of 100, and the ${worst.length} worst of ${findingCount} findings, ranked by severity, with the work that each one takes.`}
    >
      <div className="px-4 py-4 sm:px-5">
        <Scores />
      </div>
      <ol className="divide-y divide-line border-t border-line">
        {worst.map((finding) => (
          <li
            key={finding.text}
            className="grid grid-cols-[auto_1fr_auto] items-baseline gap-x-3 px-4 py-2.5 sm:grid-cols-[4rem_1fr_auto] sm:px-5"
          >
            <span
              className={`col-start-1 row-start-1 rounded px-2 text-center text-xs leading-6 sm:px-0 ${badges[finding.severity]}`}
            >
              {finding.severity}
            </span>
            <span className="col-span-3 row-start-2 mt-1 text-sm sm:col-span-1 sm:col-start-2 sm:row-span-2 sm:row-start-1 sm:mt-0">
              {finding.text}
            </span>
            <span className={`${aside} col-start-2 sm:row-start-1`}>{finding.area}</span>
            <span className={`${aside} col-start-3 text-right sm:row-start-2`}>{finding.work}</span>
          </li>
        ))}
      </ol>
    </ArtifactFrame>
  );
}

const aside = 'row-start-1 font-mono text-xs text-muted sm:col-start-3 sm:text-right';
const badges: Record<Severity, string> = {
  Critical: 'bg-error-wash text-error',
  High: 'bg-before-wash text-before',
  Medium: 'bg-sunken text-muted',
  Low: 'bg-sunken text-muted',
};
const short: Record<Severity, string> = { Critical: 'Crit', High: 'High', Medium: 'Med', Low: 'Low' };
const counted: Record<Severity, string> = {
  Critical: 'text-error font-semibold',
  High: 'text-before font-semibold',
  Medium: 'text-ink',
  Low: 'text-ink',
};

function Scores() {
  return (
    <table className="w-full font-mono text-xs">
      <caption className="sr-only">Points of each area, and its findings by severity</caption>
      <thead className="text-muted">
        <tr>
          <th scope="col" className="text-left font-normal">
            Area
          </th>
          <th scope="col" className="text-right font-normal">
            <span aria-hidden="true" className="sm:hidden">
              Pts
            </span>
            <span className="sr-only sm:not-sr-only">Points</span>
          </th>
          {severities.map((severity) => (
            <th key={severity} scope="col" className="pl-2 text-right font-normal sm:pl-3">
              <span aria-hidden="true">{short[severity]}</span>
              <span className="sr-only">{severity}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {areas.map((area) => (
          <ScoreRow key={area.name} area={area} />
        ))}
      </tbody>
      <tfoot className="font-semibold">
        <tr>
          <th scope="row" className="pt-2 text-left">
            Overall
          </th>
          <td className="pt-2 text-right text-lg">{overall}</td>
          {severities.map((severity) => (
            <td key={severity} className="pt-2 pl-2 text-right sm:pl-3">
              {countOf(severity)}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}

function ScoreRow({ area }: { area: Area }) {
  const score = scoreOf(area);
  return (
    <tr>
      <th scope="row" className="py-0.5 text-left font-normal">
        {area.name}
      </th>
      <td className="w-2/5 pl-2 sm:pl-3">
        <span className="flex items-center justify-end gap-3">
          <span className="hidden w-full sm:block">
            <Bar share={score / 100} tone={score < GOOD ? 'before' : 'after'} />
          </span>
          <span className={score < GOOD ? 'text-before' : ''}>{score}</span>
        </span>
      </td>
      {severities.map((severity, index) => {
        const count = area.findings[index] ?? 0;
        return (
          <td
            key={severity}
            className={`pl-2 text-right sm:pl-3 ${count > 0 ? counted[severity] : 'text-muted'}`}
          >
            {count}
          </td>
        );
      })}
    </tr>
  );
}
