import type { Body, Contract } from './contracts.ts';
import type { Draft } from './drafts.ts';
import type { World } from './world.ts';

/** A group of endpoints: what a valid request looks like and which statuses it may get. */
export interface Target {
  name: string;
  /** The body's contract. Without one, only path, query, headers and method are mutated. */
  contract?: Contract;
  /** Statuses of answers to a valid request. */
  accepts: readonly number[];
  /** A valid request. `body` satisfies the contract; `salt` decides everything else. */
  draft(world: World, salt: number, body: Body): Draft | Promise<Draft>;
  /** Remembers what later requests can refer to. */
  remember?(world: World, answer: Body, sent: Body): void;
}
