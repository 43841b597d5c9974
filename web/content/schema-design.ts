import { projectProcess } from './processes.ts';
import type { ServiceDetail } from './types.ts';

export const schemaDesign: ServiceDetail = {
  title: 'Schema Design',
  lead: 'A data model that fits how your product reads and writes, with the constraints that keep it true and the migrations to get there. 3-4 weeks.',
  featuresTitle: 'What a good schema gives you',
  features: [
    {
      title: 'One place for every fact',
      text: 'Repeated columns become tables with keys. What cannot be inconsistent is guarded by the database, not by hope.',
    },
    {
      title: 'Types that mean something',
      text: 'Money in integers, times with zones, states as checked values. Wrong data is refused where it enters.',
    },
    {
      title: 'Indexes with a reason',
      text: 'Each index answers a query that you really ask. We test them with the volumes that you expect in three years.',
    },
    {
      title: 'Room to grow',
      text: 'Partitioning, archiving and tenant separation planned before they are urgent, and left out where they never will be.',
    },
    {
      title: 'Denormalized on purpose',
      text: 'Where a read must be fast, the copy is deliberate, documented and kept true by a mechanism that we test.',
    },
    {
      title: 'Migrations that can run live',
      text: 'Small steps, short locks, forward and back, safe while the old version of your application still serves.',
    },
  ],
  processTitle: 'How a design goes',
  process: projectProcess([
    'We learn your product: its entities, its rules, its busiest screens and its reports.',
    'Access patterns, volumes and consistency rules are written down, and today’s schema is compared with them.',
    'The model, its constraints and indexes are built, loaded with realistic data and reviewed with your team.',
    'Queries are measured and the model refined. For 90 days we review the changes that you make to it.',
  ]),
  closing: {
    title: 'Decide it once',
    text: 'A schema is the cheapest part of a system to get right early, and the costliest to fix late.',
  },
};
