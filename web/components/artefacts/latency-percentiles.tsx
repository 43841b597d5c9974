import { ArtefactFrame } from './artefact-frame.tsx';
import { Bar } from './bar.tsx';
import { inMs } from './query-plan-data.ts';

/** Latencies of one endpoint in ms, over a week before and a week after. The slowest is the whole width. */
const percentiles = [
  { name: 'p50', before: 840, after: 84 },
  { name: 'p95', before: 6_200, after: 590 },
  { name: 'p99', before: 12_430, after: 1_180 },
] as const;

const longest = 12_430;

/** What an optimization is judged by: the same percentiles, before and after. */
export function LatencyPercentiles() {
  return (
    <ArtefactFrame
      title="GET /orders, latency"
      note="7 days each"
      caption="Three percentiles of one endpoint before and after: the median and the slow tail both fall to about a tenth."
    >
      <div className="grid gap-5 px-4 py-5 font-mono text-xs sm:px-5">
        {percentiles.map((percentile) => (
          <div key={percentile.name} className="grid grid-cols-[2.5rem_1fr] gap-x-3">
            <p className="pt-0.5 text-sm font-semibold">{percentile.name}</p>
            <dl className="grid gap-1.5">
              <Row label="Before" ms={percentile.before} tone="before" />
              <Row label="After" ms={percentile.after} tone="after" />
            </dl>
          </div>
        ))}
      </div>
      <p className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line px-4 py-3 font-mono text-xs text-muted sm:px-5">
        <span>1,940 requests/s at the peak, in both weeks</span>
        <span>db CPU 91% before, 44% after</span>
      </p>
    </ArtefactFrame>
  );
}

function Row({ label, ms, tone }: { label: string; ms: number; tone: 'before' | 'after' }) {
  return (
    <div className="grid grid-cols-[3.25rem_1fr_5.5rem] items-center gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="contents">
        <Bar share={ms / longest} tone={tone} className="h-3" />
        <span className={`text-right ${tone === 'before' ? 'text-before' : 'text-after'}`}>{inMs(ms)}</span>
      </dd>
    </div>
  );
}
