import { useQuery } from '@tanstack/react-query';
import type { SalesWeek } from '../../../core/desk-orders.ts';
import { CURRENCY, formatMoney } from '../../../core/money.ts';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { Disclosure } from './disclosure.tsx';
import { weeksQuery } from './orders-queries.ts';

const HEIGHT = 72;
const STEP = 42;

/** What was paid in each of the last twelve weeks: a chart, with a table for screen readers. */
export function SalesChart() {
  const sales = useQuery(weeksQuery);
  if (sales.isError)
    return <p className="mt-4 text-sm text-muted">The weekly figures could not be loaded.</p>;
  if (!sales.data) return <Skeleton className="mt-4 h-40 w-full" />;
  const { weeks } = sales.data;
  const total = weeks.reduce((sum, week) => sum + week.revenue, 0);
  const orders = weeks.reduce((sum, week) => sum + week.orders, 0);
  return (
    <section
      aria-label="Sales by week"
      className="mt-5 rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      <p className="text-sm text-muted">
        Last 12 weeks: <span className="figure font-medium text-ink">{formatMoney(total, CURRENCY)}</span>{' '}
        from <span className="figure font-medium text-ink">{orders.toLocaleString('en-US')}</span>{' '}
        {orders === 1 ? 'order' : 'orders'}, refunds subtracted.{' '}
        <span className="hidden sm:inline">
          Revenue is above each bar, the number of orders below its week.
        </span>
      </p>
      <Bars weeks={weeks} />
      <WeekTable weeks={weeks} />
    </section>
  );
}

function Bars({ weeks }: { weeks: SalesWeek[] }) {
  const highest = Math.max(1, ...weeks.map(({ revenue }) => revenue));
  return (
    <svg
      viewBox={`0 0 ${weeks.length * STEP} ${HEIGHT + 44}`}
      className="mt-3 max-h-52 w-full"
      aria-hidden="true"
    >
      {weeks.map(({ week, revenue, orders }, index) => {
        const height = Math.max(1, Math.round((Math.max(0, revenue) / highest) * HEIGHT));
        const x = index * STEP;
        return (
          <g key={week}>
            <title>{`${dayOf(week)}: ${formatMoney(revenue, CURRENCY)}, ${orders} orders`}</title>
            <rect
              x={x + 6}
              y={HEIGHT + 14 - height}
              width={STEP - 12}
              height={height}
              rx="2"
              className="fill-accent"
            />
            {orders > 0 && <Label x={x} y={HEIGHT + 10 - height} text={compactMoney.format(revenue / 100)} />}
            <Label x={x} y={HEIGHT + 27} text={dayOf(week)} />
            {orders > 0 && <Label x={x} y={HEIGHT + 39} text={compactCount.format(orders)} />}
          </g>
        );
      })}
    </svg>
  );
}

/** There is no room for it on a phone. */
function Label({ x, y, text }: { x: number; y: number; text: string }) {
  return (
    <text x={x + STEP / 2} y={y} textAnchor="middle" className="hidden fill-muted text-[9px] sm:block">
      {text}
    </text>
  );
}

function WeekTable({ weeks }: { weeks: SalesWeek[] }) {
  return (
    <Disclosure label="As a table" className="mt-2 text-sm">
      <table className="mt-2 w-full max-w-md text-right">
        <caption className="sr-only">Sales by week</caption>
        <thead className="text-muted">
          <tr>
            <th scope="col" className="text-left font-medium">
              Week from
            </th>
            <th scope="col" className="font-medium">
              Orders
            </th>
            <th scope="col" className="font-medium">
              Revenue
            </th>
          </tr>
        </thead>
        <tbody className="figure">
          {weeks.map(({ week, orders, revenue }) => (
            <tr key={week}>
              <th scope="row" className="text-left font-normal">
                {dayOf(week)}
              </th>
              <td>{orders}</td>
              <td>{formatMoney(revenue, CURRENCY)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Disclosure>
  );
}

const compact = { notation: 'compact', maximumSignificantDigits: 3 } as const;
const compactCount = new Intl.NumberFormat('en-US', compact);
const compactMoney = new Intl.NumberFormat('en-US', { ...compact, style: 'currency', currency: CURRENCY });

function dayOf(week: string): string {
  const parts = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-US', parts).format(new Date(week));
}
