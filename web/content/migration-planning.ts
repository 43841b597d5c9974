import { projectProcess } from './processes.ts';
import type { ServiceDetail } from './types.ts';

export const migrationPlanning: ServiceDetail = {
  title: 'Migration Planning',
  lead: 'A rehearsed plan to move a live database without downtime: new version, new cloud, new engine, with a way back at every step. 4-6 weeks, depending on complexity.',
  featuresTitle: 'What a safe migration is made of',
  features: [
    {
      title: 'Compatibility first',
      text: 'Types, collations, extensions, drivers and the queries that behave differently, found on a copy and not on the night.',
    },
    {
      title: 'Dual writes',
      text: 'Old and new are written together, in one order, so that either of them can be the truth at any moment.',
    },
    {
      title: 'A backfill that yields',
      text: 'History moves in small batches that slow down when your users need the disk, and can stop and resume anywhere.',
    },
    {
      title: 'Verification, row by row',
      text: 'Counts and checksums are compared until they agree, and keep agreeing while both sides are written.',
    },
    {
      title: 'Cut-over in seconds',
      text: 'Traffic moves when the lag is zero, by a switch that has been thrown many times in rehearsal.',
    },
    {
      title: 'A way back',
      text: 'Changes flow back to the old database after the switch, for as long as you want the door open.',
    },
  ],
  processTitle: 'How a migration goes',
  process: projectProcess([
    'What moves, why, by when, and what may never break. Every system that reads or writes is put on the map.',
    'The compatibility report, the load profile, and the plan with an owner and a check for each phase.',
    'Dual writes, backfill and verification are built and rehearsed twice on production-sized data.',
    'After the cut-over the new system is tuned under its real load, with 120 days of follow-up support.',
  ]),
  closing: {
    title: 'Rehearse it until it is boring',
    text: 'The best migrations are the ones that nobody noticed.',
  },
};
