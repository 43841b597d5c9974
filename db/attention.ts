import type { Database } from './database.ts';

/** The orders that need a person. */
export interface Attention {
  review: number;
  disputed: number;
  /** The earliest date until which evidence for an open dispute may be submitted, ms since the epoch. */
  evidenceDueAt: number | null;
}

/** Reads over a partial index; both states are rare and end. */
export async function readAttention(db: Database): Promise<Attention> {
  const { rows } = await db.raw<{ rows: Attention[] }>(
    `select
       count(*) filter (where status = 'review')::int as review,
       count(*) filter (where status = 'disputed')::int as disputed,
       min(due)::float8 as "evidenceDueAt"
     from orders left join lateral (
       select min((value->>'evidenceDueAt')::numeric) as due
       from json_each(payment_facts->'disputes') where value->>'outcome' = 'open') dispute on true
     where status in ('review', 'disputed')`,
  );
  return rows[0] ?? { review: 0, disputed: 0, evidenceDueAt: null };
}
