import type { ReactNode } from 'react';
import type { ServiceSlug } from '../../../core/catalogue.ts';
import { areas, scoreOf } from './audit-findings.ts';
import { percentiles, place as placeOfMs } from './latency-data.ts';
import { CUT_OVER, phases, place as placeOfDay } from './migration-phases.ts';

/** A service's artifact in miniature, from the same numbers, to be recognized at a glance. */
export function Sketch({ service, className = '' }: { service: ServiceSlug; className?: string }) {
  return (
    <svg viewBox="0 0 100 48" className={`h-12 w-25 ${className}`} aria-hidden="true" fill="none">
      {drawings[service]}
    </svg>
  );
}

const GOOD = 65;

const scorecard = areas.map((area, row) => (
  <g key={area.name}>
    <rect y={row * 10 + 1} width="100" height="6" rx="2" className="fill-line" />
    <rect
      y={row * 10 + 1}
      width={scoreOf(area)}
      height="6"
      rx="2"
      className={scoreOf(area) < GOOD ? 'fill-before' : 'fill-after'}
    />
  </g>
));

/** One wide table on the left; what its columns become on the right. */
const tables = (
  <>
    <path d="M42 24h10M52 8.5v31M52 8.5h8M52 24h8M52 39.5h8" strokeWidth="1.5" className="stroke-edge" />
    <Box
      x={0.75}
      y={0.75}
      width={41}
      height={46.5}
      fills={['before', 'before', 'accent', 'accent', 'accent']}
    />
    <Box x={60} y={0.75} width={39.25} height={14} fills={['before']} />
    <Box x={60} y={17} width={39.25} height={14} fills={['edge']} />
    <Box x={60} y={33.25} width={39.25} height={14} fills={['accent']} />
  </>
);

const columnFills = { before: 'fill-before', accent: 'fill-accent', edge: 'fill-edge' };

function Box(props: {
  x: number;
  y: number;
  width: number;
  height: number;
  fills: readonly (keyof typeof columnFills)[];
}) {
  const { x, y, width, height, fills } = props;
  const step = (height - 4) / fills.length;
  const columns = fills.map((fill, row) => ({
    fill,
    top: y + 2 + step * (row + 0.5) - 1.5,
    length: width - (row % 2 === 0 ? 10 : 18),
  }));
  return (
    <>
      <rect {...{ x, y, width, height }} rx="2" strokeWidth="1.5" className="fill-surface stroke-edge" />
      {columns.map(({ fill, top, length }) => (
        <rect key={top} x={x + 5} y={top} width={length} height="3" rx="1.5" className={columnFills[fill]} />
      ))}
    </>
  );
}

const shifts = percentiles.map(({ name, before, after }, row) => {
  const y = row * 16 + 8;
  const [from, to] = [placeOfMs(before), placeOfMs(after)];
  return (
    <g key={name}>
      <path d={`M0 ${y}h100`} strokeWidth="1.5" className="stroke-line" />
      <path d={`M${to} ${y}H${from}`} strokeWidth="3" className="stroke-after" />
      <circle cx={from} cy={y} r="4" strokeWidth="2" className="fill-surface stroke-before" />
      <circle cx={to} cy={y} r="5" className="fill-after" />
    </g>
  );
});

const phaseFills = { old: 'fill-edge', work: 'fill-accent', new: 'fill-after' };

const timeline = (
  <>
    {phases.flatMap((phase, row) =>
      phase.stretches.map(({ from, to, tone }) => (
        <rect
          key={`${phase.name} ${from}`}
          x={placeOfDay(from)}
          y={row * 10 + 1}
          width={placeOfDay(to) - placeOfDay(from)}
          height="6"
          rx="2"
          className={phaseFills[tone]}
        />
      )),
    )}
    <path
      d={`M${placeOfDay(CUT_OVER)} 0v48`}
      strokeWidth="1.5"
      strokeDasharray="3 3"
      className="stroke-before"
    />
  </>
);

const drawings: Record<ServiceSlug, ReactNode> = {
  audit: scorecard,
  design: tables,
  optimization: shifts,
  migration: timeline,
};
