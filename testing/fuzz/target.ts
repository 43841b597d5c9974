import type { Body, Contract } from './contracts.ts';
import type { Draft } from './drafts.ts';
import type { World } from './world.ts';

/** One group of endpoints: how a valid request to it looks, and what may come of that. */
export interface Target {
  name: string;
  /** What its body must be; without one only path, query, headers and method are spoilt. */
  contract?: Contract;
  /** Statuses of the answer to a valid request. */
  accepts: readonly number[];
  /** A valid request. `body` satisfies the contract; `salt` decides whatever else is free. */
  draft(world: World, salt: number, body: Body): Draft | Promise<Draft>;
  /** Remembers what a good answer brings. */
  learn?(world: World, answer: Body, sent: Body): void;
}
