import type { Point } from './types.ts';

export const engagementProcess: readonly Point[] = [
  {
    title: 'Discovery Call',
    text: 'Thirty minutes on what the database does, what it should do, and what has been tried. We say if we are the wrong people.',
  },
  {
    title: 'Analysis & Assessment',
    text: 'We collect statistics, plans and wait events with read-only access and find out where the time really goes.',
  },
  {
    title: 'Strategy & Planning',
    text: 'You get a ranked list: what to change, what it brings, what it risks, how to undo it. We decide together.',
  },
  {
    title: 'Implementation & Support',
    text: 'We make the changes with your team, measure the result against the start, and stay reachable afterwards.',
  },
];

/** Names of the four steps on the service pages; each page tells them in its own words. */
const projectSteps = ['Discovery', 'Analysis', 'Implementation', 'Optimization'] as const;

export function projectProcess(texts: readonly [string, string, string, string]): readonly Point[] {
  return projectSteps.map((title, index) => ({ title, text: texts[index] ?? '' }));
}
