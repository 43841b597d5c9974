export const severities = ['Critical', 'High', 'Medium', 'Low'] as const;
export type Severity = (typeof severities)[number];

/** An area of the audit and how many findings of each severity it has, in the order of {@link severities}. */
export interface Area {
  name: string;
  findings: readonly [number, number, number, number];
}

export const areas: readonly Area[] = [
  { name: 'Indexes', findings: [0, 1, 2, 3] },
  { name: 'Locks', findings: [0, 1, 1, 0] },
  { name: 'Vacuum', findings: [0, 2, 1, 1] },
  { name: 'Backups', findings: [1, 1, 0, 0] },
  { name: 'Security', findings: [0, 0, 2, 2] },
];

/** Every finding that is critical or high, worst first. */
export const worst: readonly { severity: Severity; area: string; text: string; work: string }[] = [
  {
    severity: 'Critical',
    area: 'Backups',
    text: 'Restore takes 9 h 40 min, target 4 h',
    work: '3 days',
  },
  {
    severity: 'High',
    area: 'Vacuum',
    text: 'events: transaction ID age 1.42 billion, held back by a forgotten prepared transaction',
    work: '1 hour',
  },
  {
    severity: 'High',
    area: 'Backups',
    text: 'WAL archiving stalled three times in 30 days, 26 min at most',
    work: '1 day',
  },
  {
    severity: 'High',
    area: 'Locks',
    text: 'ALTER TABLE without lock_timeout queued 380 sessions for 41 s',
    work: '2 hours',
  },
  {
    severity: 'High',
    area: 'Indexes',
    text: 'orders: no index on (shop_id, created_at), 38% of all read time',
    work: '1 hour',
  },
  {
    severity: 'High',
    area: 'Vacuum',
    text: 'sessions: 64% dead rows, autovacuum falls behind',
    work: '2 hours',
  },
];

export const findingCount = areas.flatMap((area) => area.findings).reduce((sum, count) => sum + count, 0);

/** The worst finding of an area, with its rank among all. @throws RangeError for an area without a listed one */
export function worstIn(area: string): { rank: number } & (typeof worst)[number] {
  const index = worst.findIndex((finding) => finding.area === area);
  const finding = worst[index];
  if (!finding) throw new RangeError(`No finding of ${area} is listed`);
  return { rank: index + 1, ...finding };
}

/** Points that a finding takes from its area's 100. */
const PENALTIES = [30, 15, 6, 2] as const;

/** An area's points: 100 less what its findings take. */
export function scoreOf(area: Area): number {
  return area.findings.reduce((score, count, index) => score - count * (PENALTIES[index] ?? 0), 100);
}

export const overall = Math.round(areas.reduce((sum, area) => sum + scoreOf(area), 0) / areas.length);

export function countOf(severity: Severity): number {
  const index = severities.indexOf(severity);
  return areas.reduce((sum, area) => sum + (area.findings[index] ?? 0), 0);
}
