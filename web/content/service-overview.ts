import type { ServiceSlug } from '../../core/catalogue.ts';

interface ServiceOverview {
  readonly longDescription: string;
  readonly deliverables: readonly string[];
  readonly timeline: string;
  readonly ideal: string;
}

export const serviceOverviews: Record<ServiceSlug, ServiceOverview> = {
  audit: {
    longDescription:
      'We inspect your database the way an engineer inspects a bridge: structure, load, wear, and the parts nobody has looked at since they were built. We measure schema and indexes, the heaviest queries, locks and vacuum, configuration, backups and access rights against what your workload needs, and rank every finding by what it costs you if left unfixed.',
    deliverables: [
      'A written report with each finding, its evidence and its severity',
      'The 20 most expensive queries, with their plans explained',
      'A list of missing, unused and duplicate indexes',
      'A backup restored on a spare machine, with the time it took',
      'A 90-minute session with your team to go through it all',
    ],
    timeline: '2-3 weeks',
    ideal:
      'teams that have inherited a database, are about to grow, or have had one incident too many and want to know where they stand.',
  },
  design: {
    longDescription:
      'A schema is a set of decisions that are cheap on the first day and expensive in the third year. We work from how your product reads and writes: which questions it asks most, what must never be inconsistent, what will grow. The result is a model with its constraints, keys and indexes, the reasons for each of them, and the migrations that lead there from what you have now.',
    deliverables: [
      'An entity model with keys, constraints and data types, and the reasons for them',
      'An index plan for the queries that matter, tested with realistic volumes',
      'Migration scripts, forward and back, that are safe on a live system',
      'Rules for naming, archiving and partitioning that your team can apply alone',
      'A design review with everyone who will write against it',
    ],
    timeline: '3-4 weeks',
    ideal:
      'new products before their first customer, and old ones whose tables have begun to repeat themselves.',
  },
  optimization: {
    longDescription:
      'Slowness has an address. We find it with statement statistics, wait events and plans from your own production load, and remove it one cause at a time: a sequential scan here, a lock queue there, a connection pool that starves itself. Each change is measured before and after, and stays only if the numbers say so.',
    deliverables: [
      'A baseline of latencies, throughput and waits under your real load',
      'Rewritten queries and indexes, applied with your team',
      'Configuration for memory, vacuum, checkpoints and connections that fits your machines',
      'A report with p50, p95 and p99 before and after each change',
      'Dashboards and alerts that show the next regression before your users do',
    ],
    timeline: '2-4 weeks, with ongoing support',
    ideal:
      'products whose slowest page is their most important one, and bills that grow faster than the traffic.',
  },
  migration: {
    longDescription:
      'Moving a live database is a rehearsal problem. We write the plan as a timeline with an owner, a check and a way back for every step, build the dual writes, backfill and verification that it needs, and run the whole of it on a copy until it is boring. On the day, the cut-over takes seconds and your users notice nothing.',
    deliverables: [
      'A migration plan with phases, owners, checks and a way back for each',
      'A compatibility report: the types, collations, extensions, drivers and queries that need a change',
      'Scripts for dual writes, backfill and verification row by row',
      'Two full rehearsals on production-sized data, with their timings',
      'An engineer beside your team during the cut-over',
    ],
    timeline: '4-6 weeks, depending on complexity',
    ideal:
      'version upgrades, moves between clouds or engines, and splits of a database that has grown too large for one machine.',
  },
};
