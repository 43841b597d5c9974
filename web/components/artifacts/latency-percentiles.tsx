import { ArtifactFrame } from './artifact-frame.tsx';
import { factor, inFlight, machines, means, PEAK_RATE, percentiles, place, ticks } from './latency-data.ts';
import { inMs } from './query-plan-data.ts';

export function LatencyPercentiles() {
  return (
    <ArtifactFrame
      title="GET /reports/revenue"
      note="7 days each"
      caption="Three percentiles of one endpoint before and after, on a logarithmic axis: the median and the slow tail both fall to a tenth, at the same load."
    >
      <div className="px-4 py-4 sm:px-5">
        <table className="w-full font-mono text-xs sm:text-sm">
          <caption className="sr-only">Latency before and after</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="text-left font-normal">
                <span className="sr-only">Percentile</span>
              </th>
              <th scope="col" className="text-right font-normal">
                before
              </th>
              <th scope="col" className="text-right font-normal">
                after
              </th>
              <th scope="col" className="text-right font-normal">
                faster
              </th>
            </tr>
          </thead>
          {percentiles.map((percentile) => (
            <tbody key={percentile.name}>
              <tr>
                <th scope="row" className="pt-3 text-left font-semibold">
                  {percentile.name}
                </th>
                <td className="pt-3 text-right text-before">{inMs(percentile.before)}</td>
                <td className="pt-3 text-right text-after">{inMs(percentile.after)}</td>
                <td className="pt-3 text-right font-semibold">
                  {factor(percentile.before, percentile.after)}
                </td>
              </tr>
              <tr>
                <td colSpan={4}>
                  <Shift {...percentile} />
                </td>
              </tr>
            </tbody>
          ))}
        </table>
        <Axis />
      </div>
      <dl className="divide-line border-t border-line max-sm:py-2 sm:grid sm:grid-cols-3 sm:divide-x">
        {facts.map(({ term, fact }) => (
          <div key={term} className="flex justify-between gap-4 px-4 py-1 sm:block sm:px-5 sm:py-3">
            <dt className="text-xs text-muted">{term}</dt>
            <dd className="figure shrink-0 font-mono text-xs sm:mt-0.5">{fact}</dd>
          </div>
        ))}
      </dl>
    </ArtifactFrame>
  );
}

const facts = [
  { term: 'Peak, both weeks', fact: `${PEAK_RATE} requests/s` },
  { term: 'In flight at the peak', fact: `${inFlight(means.before)} → ${inFlight(means.after)}` },
  { term: 'Database, half the cost', fact: `${machines.before} → ${machines.after} vCPU` },
] as const;

/** One percentile's way along the axis, from where it was to where it is. */
function Shift({ name, before, after }: { name: string; before: number; after: number }) {
  return (
    <svg
      className="block h-7 w-full overflow-visible"
      role="img"
      aria-label={`${name} moves from ${inMs(before)} to ${inMs(after)} on the axis`}
    >
      <rect y="13" width="100%" height="2" className="fill-line" />
      {ticks.map(({ ms }) => (
        <rect key={ms} x={`${place(ms)}%`} y="8" width="1" height="12" className="fill-edge" />
      ))}
      <rect
        x={`${place(after)}%`}
        y="12"
        width={`${place(before) - place(after)}%`}
        height="4"
        className="fill-after"
        opacity="0.45"
      />
      <circle
        cx={`${place(before)}%`}
        cy="14"
        r="6"
        strokeWidth="2.5"
        className="fill-surface stroke-before"
      />
      <circle cx={`${place(after)}%`} cy="14" r="6.5" className="fill-after" />
    </svg>
  );
}

function Axis() {
  return (
    <svg className="block h-5 w-full overflow-visible font-mono text-xs" aria-hidden="true">
      {ticks.map(({ ms, label }) => (
        <text key={ms} x={`${place(ms)}%`} y="14" textAnchor="middle" className="fill-muted">
          {label}
        </text>
      ))}
    </svg>
  );
}
