import { projectProcess } from './processes.ts';
import type { ServiceDetail } from './types.ts';

export const databaseAudit: ServiceDetail = {
  title: 'Database Audit',
  lead: 'Know what your database is doing, what it will do next, and what to fix first. A full review in 2-3 weeks, ranked by severity and written to be acted on.',
  featuresTitle: 'What we look at',
  features: [
    {
      title: 'Schema and indexes',
      text: 'Types, keys and constraints; indexes that are missing, unused or duplicated; tables that outgrew their design.',
    },
    {
      title: 'Queries',
      text: 'The statements that cost the most in total, not only the slowest ones, each with its plan and the cause of its cost.',
    },
    {
      title: 'Locks and transactions',
      text: 'Who waits for whom and for how long, sessions idle in transaction, deadlocks and the code paths they come from.',
    },
    {
      title: 'Vacuum, bloat and storage',
      text: 'Dead rows, autovacuum that cannot keep up, identifiers that run out, disks that fill faster than expected.',
    },
    {
      title: 'Backups and recovery',
      text: 'We restore one. You learn how long it takes and how much you would lose, not what the documentation says.',
    },
    {
      title: 'Security and access',
      text: 'Roles, grants, network paths, encryption and old superusers, with the least privilege that each application needs.',
    },
  ],
  processTitle: 'How an audit goes',
  process: projectProcess([
    'A call about your system and its history. You create a read-only role; we tell you exactly what it reads.',
    'A week of statistics under real load, then the review of everything above, finding by finding.',
    'The report is written: evidence, severity, the change we advise and the time it takes.',
    'A session with your team ranks the work, and for 30 days we answer the questions that come with it.',
  ]),
  closing: {
    title: 'Start with the facts',
    text: 'Most teams fix the first three findings in the week after the report.',
  },
};
