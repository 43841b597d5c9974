import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { serviceSlugs } from '../../../core/catalogue.ts';
import { AuditFinding } from './audit-finding.tsx';
import { areas, countOf, overall, scoreOf, severities, worst } from './audit-findings.ts';
import { AuditScorecard } from './audit-scorecard.tsx';
import { factor, inFlight, machines, means, percentiles, place } from './latency-data.ts';
import { LatencyPercentiles } from './latency-percentiles.tsx';
import { BACKFILL_RATE, CUT_OVER, DAYS, phases, ROWS } from './migration-phases.ts';
import { MigrationTimeline } from './migration-timeline.tsx';
import { QueryPlan } from './query-plan.tsx';
import { SchemaDiagram } from './schema-diagram.tsx';
import { clean, costs, wide } from './schema-tables.ts';
import { Sketch } from './sketch.tsx';

describe.each<[string, ReactElement, readonly string[]]>([
  [
    'query plan',
    <QueryPlan key="plan" />,
    ['12,430 ms', '1,180 ms', 'Plan before: cost', 'Plan after: cost'],
  ],
  [
    'finding',
    <AuditFinding key="finding" />,
    ['finding 5 of 18', '618,115 pages', 'DROP INDEX CONCURRENTLY', '12,430 ms', '1,180 ms', '1.5 GB'],
  ],
  ['scorecard', <AuditScorecard key="audit" />, ['Points of each area', 'Critical', 'Restore takes']],
  [
    'schema',
    <SchemaDiagram key="schema" />,
    [', moves to customers', ', moves to order_items', 'many orders'],
  ],
  ['latencies', <LatencyPercentiles key="latency" />, ['p99 moves from 12,430 ms to 1,180 ms', '10.5x']],
  ['timeline', <MigrationTimeline key="time" />, ['zero downtime', 'Cut-over on day 30', 'day 3 to day 17']],
])('the %s', (_name, artifact, words) => {
  const markup = renderToStaticMarkup(artifact);

  test('is complete without scripts, and has a text alternative', () => {
    expect(markup).toMatch(/^<figure.*<figcaption[^>]*>[^<]{60,}<\/figcaption><\/figure>$/s);
    for (const word of words) expect(markup).toContain(word);
  });

  test('has no inline style, which the security policy would refuse', () => {
    expect(markup).not.toMatch(/\sstyle=|<style/);
  });

  test('either labels each drawing or hides it from screen readers', () => {
    for (const [svg] of markup.matchAll(/<svg[^>]*>/g)) {
      expect(svg).toMatch(/aria-hidden="true"|role="img" aria-label="[^"]+"/);
    }
  });
});

test.each(serviceSlugs)('the sketch of %s stays within its frame, and says nothing twice', (service) => {
  const markup = renderToStaticMarkup(<Sketch service={service} />);
  expect(markup).toMatch(/^<svg[^>]*viewBox="0 0 100 48"[^>]*aria-hidden="true"/);
  for (const [, x, y] of markup.matchAll(/<rect x="([\d.]+)" y="([\d.]+)"/g)) {
    expect(Number(x)).toBeLessThan(100);
    expect(Number(y)).toBeLessThan(48);
  }
});

test('the scorecard lists every critical and high finding of its areas, worst first', () => {
  expect(overall).toBe(69);
  expect(areas.map(scoreOf)).toEqual([67, 79, 62, 55, 84]);
  expect(worst.length).toBe(countOf('Critical') + countOf('High'));
  const ranks = worst.map(({ severity }) => severities.indexOf(severity));
  expect(ranks).toEqual([...ranks].sort());
  for (const area of areas) {
    const listed = worst.filter((finding) => finding.area === area.name).length;
    expect(listed, area.name).toBe(area.findings[0] + area.findings[1]);
  }
});

test('every percentile drops to a tenth, and the load follows from rate and duration', () => {
  expect(percentiles.map(({ before, after }) => factor(before, after))).toEqual(['10.0x', '10.5x', '10.5x']);
  expect([inFlight(means.before), inFlight(means.after)]).toEqual([72, 7]);
  expect(machines.after / machines.before).toBe(0.5);
  for (const { before, after } of percentiles) {
    for (const ms of [before, after]) expect(place(ms)).toSatisfy((at: number) => at > 0 && at < 100);
  }
});

test('every repeating column of the wide table moves to a table', () => {
  const homes = new Set(clean.map((table) => table.name));
  for (const { moves } of wide.columns) if (moves) expect(homes).toContain(moves);
  expect(wide.columns.filter((column) => column.moves)).toHaveLength(9);
  expect(costs.map(({ fact }) => fact)).toEqual(['31.4 million', '76', '2.0 GB', '2,918', '41,206']);
});

test('the backfill’s rate moves all rows in its days, and verification ends at the cut-over', () => {
  const stretchOf = (name: string) => phases.find((phase) => phase.name === name)?.stretches[0];
  const backfill = stretchOf('Backfill');
  const seconds = ((backfill?.to ?? 0) - (backfill?.from ?? 0)) * 86_400;
  expect((BACKFILL_RATE * seconds) / ROWS).toBeCloseTo(1, 2);
  expect(stretchOf('Verify')?.to).toBe(CUT_OVER);
  expect(stretchOf('Way back')).toMatchObject({ from: CUT_OVER, to: DAYS });
  for (const name of ['Reads', 'Dual write']) expect(stretchOf(name)?.from).toBe(0);
});
