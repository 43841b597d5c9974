import { projectProcess } from './processes.ts';
import type { ServiceDetail } from './types.ts';

export const optimization: ServiceDetail = {
  title: 'Optimization Consulting',
  lead: 'Slow queries, lock waits and memory pressure, found by measurement and removed one by one, with the numbers before and after each change. 2-4 weeks with ongoing support.',
  figures: [
    { value: '10x', label: 'faster queries' },
    { value: '50%', label: 'cost reduction' },
    { value: '99.9%', label: 'uptime' },
  ],
  featuresTitle: 'Where the time goes, and how we get it back',
  features: [
    {
      title: 'Query plans',
      text: 'Sequential scans on large tables, wrong row estimates, sorts that spill to disk: read from the plan, fixed in the query.',
    },
    {
      title: 'Index strategy',
      text: 'Partial, covering and expression indexes where they pay, and fewer of the ones that only slow down writes.',
    },
    {
      title: 'Locks and contention',
      text: 'Hot rows, long transactions and lock queues behind migrations, taken apart and put in order.',
    },
    {
      title: 'Memory and configuration',
      text: 'Buffers, work memory, checkpoints and vacuum set for your machine and your load, with the reason written beside each.',
    },
    {
      title: 'Connections and pooling',
      text: 'Pools sized by queueing theory instead of folklore, so that a peak makes users wait milliseconds and not minutes.',
    },
    {
      title: 'Replication and caching',
      text: 'Reads moved to replicas where their lag allows it, and caches where the data can bear to be old.',
    },
  ],
  processTitle: 'How an optimization goes',
  process: projectProcess([
    'We agree on the numbers that matter: which page, which job, which percentile, which bill.',
    'A baseline under real load. Waits and plans show what the time is spent on.',
    'One change at a time, reviewed with your team, rolled out with its way back.',
    'Each result is measured against the baseline. For 60 days we check that it holds.',
  ]),
  closing: {
    title: 'Bring us your slowest query',
    text: 'If it has a plan, it has a cause. We will tell you in the first call what we see in it.',
  },
};
