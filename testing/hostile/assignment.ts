import type { Scene } from './attacks.ts';

export interface FireAssignment {
  name: string;
  shots: number;
  addresses: number;
}

export interface WatchAssignment {
  orders: string[];
  watchers: number;
}

/** Instructions for the attacking process. */
export type Assignment = { url: string; scene: Scene } & (
  | ({ kind: 'fire' } & FireAssignment)
  | ({ kind: 'watch' } & WatchAssignment)
);

/** How shots were answered, by status; 0: the connection was closed. */
export type Answers = Record<number, number>;
