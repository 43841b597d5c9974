import type { Figure, Point } from './types.ts';

export const about = {
  title: 'A small firm of people who like query plans',
  lead: 'Querywright repairs and builds databases for companies whose product depends on them. We are senior engineers only, and the person you speak to is the person who does the work.',

  mission: {
    title: 'Mission',
    text: 'To make databases the part of a system that nobody worries about. We do it by measuring before we advise, by fixing causes instead of symptoms, and by leaving every team more able to run its own data than we found it.',
  },
  vision: {
    title: 'Vision',
    text: 'A trade in which performance is proven and not promised: where a schema comes with its reasons, a migration with its rehearsal, and a bill with the numbers before and after.',
  },

  valuesTitle: 'Three values, and what they cost us',
  values: [
    {
      title: 'Excellence',
      text: 'We would rather remove one index for a good reason than add ten on suspicion. Every finding has been reproduced, every recommendation measured, and every script has run on a copy of your data first.',
    },
    {
      title: 'Partnership',
      text: 'Your engineers sit in on the work, ask why, and review the changes. When we leave, they know what we know about their system, and our follow-up support is there for the questions that come later.',
    },
    {
      title: 'Innovation',
      text: 'We follow the planners, storage engines and replication protocols as they are written, and we try new features on our own time before we try them on your data. What is merely new stays in the lab.',
    },
  ] satisfies Point[],

  figures: [
    { value: '15+', label: 'years of experience' },
    { value: '500+', label: 'clients' },
    { value: '1000+', label: 'databases' },
    { value: '99.9%', label: 'migration success' },
  ] satisfies Figure[],

  reasonsTitle: 'Why teams choose us',
  reasons: [
    {
      title: 'Senior engineers only',
      text: 'No account managers and no juniors learning on your cluster. Everyone here has carried a pager for a database of their own.',
    },
    {
      title: 'A price before the work',
      text: 'The scope and the price are fixed before we start. If we have estimated badly, that is our problem.',
    },
    {
      title: 'Evidence in the report',
      text: 'Plans, wait events, lock graphs, sizes: each finding shows where it comes from, so your team can check it without us.',
    },
    {
      title: 'A way back at every step',
      text: 'Each change to a production system comes with the statement that undoes it, and both have been rehearsed.',
    },
    {
      title: 'Independent advice',
      text: 'We sell no licenses, take no commission from clouds or vendors, and will say so when the cheapest answer is to change nothing.',
    },
    {
      title: 'Careful with your data',
      text: 'We work with least privilege, on your machines where we can, and keep no copy of production data when we leave.',
    },
  ] satisfies Point[],

  closing: {
    title: 'Talk to the person who would do the work',
    text: 'Thirty minutes, no slides. You describe the database, we ask questions, and you know whether we can help.',
  },
} as const;
