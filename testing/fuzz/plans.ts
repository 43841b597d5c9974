import fc, { type Arbitrary } from 'fast-check';
import { type Body, type Contract, stringFieldsOf, validBody } from './contracts.ts';
import { nastyStrings } from './corpus.ts';
import type { Mutation } from './drafts.ts';
import { mutationOf } from './mutations.ts';
import { rawBytes } from './raw-bytes.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';

/** A planned request: valid, mutated, or raw bytes. */
export type Plan =
  | { mode: 'valid' | 'mutated'; target: Target; salt: number; body: Body; mutation?: Mutation }
  | { mode: 'raw'; bytes: Uint8Array; pieces: number };

const RAW_SHARE = 0.15;
const MUTATED_SHARE = 0.6;
/** At most this share of the mutated requests puts nasty strings into string fields. */
const CORPUS_SHARE = 0.4;
const BATCH = 500;

/** `count` requests, reproducible by seed: 60 % mutated, 25 % valid, 15 % raw bytes. */
export function* plans(count: number, seed: number): Generator<Plan> {
  const corpus = corpusPlans(Math.floor(count * MUTATED_SHARE * CORPUS_SHARE), seed);
  for (let started = 0; started < count; started += BATCH) {
    const numRuns = Math.min(BATCH, count - started);
    for (const plan of fc.sample(anyPlan, { numRuns, seed: seed + started })) {
      const next = plan.mode === 'mutated' ? corpus.pop() : undefined;
      yield next ?? plan;
    }
  }
}

/** The number of requests that put every nasty string into every string field. */
export const corpusSize =
  nastyStrings.length *
  targets.reduce((sum, { contract }) => sum + (contract ? stringFieldsOf(contract).length : 0), 0);

/** Every nasty string in every string field, or an even sample of `max` of them. */
function corpusPlans(max: number, seed: number): Plan[] {
  const every = Math.max(1, Math.ceil(corpusSize / Math.max(1, max)));
  const fields = targets.flatMap((target) =>
    target.contract
      ? stringFieldsOf(target.contract).map((field) => ({ target, contract: target.contract, field }))
      : [],
  );
  return nastyStrings
    .flatMap((value) => fields.map((place) => ({ ...place, value })))
    .filter((_place, at) => (at + seed) % every === 0)
    .map(({ target, contract, field, value }, at) => ({
      mode: 'mutated' as const,
      target,
      // Targets branch on multiples of their salt; those requests have no JSON body.
      salt: at * 60 + 9,
      body: sampleBody(contract),
      mutation: { kind: 'replace' as const, field, value },
    }));
}

const samples = new Map<Contract, Body>();

function sampleBody(contract: Contract | undefined): Body {
  if (!contract) return {};
  const known = samples.get(contract) ?? fc.sample(validBody(contract), { numRuns: 1, seed: 1 })[0] ?? {};
  samples.set(contract, known);
  return known;
}

/** How a request is sent: most at once, some slowly. */
const rawPlan: Arbitrary<Plan> = fc.record({
  mode: fc.constant('raw' as const),
  bytes: rawBytes,
  pieces: fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 6 }) },
  ),
});

const anyPlan: Arbitrary<Plan> = fc.oneof(
  {
    weight: MUTATED_SHARE * 100,
    arbitrary: fc.oneof(...targets.map((target) => planFor(target, 'mutated'))),
  },
  {
    weight: (1 - MUTATED_SHARE - RAW_SHARE) * 100,
    arbitrary: fc.oneof(...targets.map((target) => planFor(target, 'valid'))),
  },
  { weight: RAW_SHARE * 100, arbitrary: rawPlan },
);

function planFor(target: Target, mode: 'valid' | 'mutated'): Arbitrary<Plan> {
  return fc.record({
    mode: fc.constant(mode),
    target: fc.constant(target),
    salt: fc.nat(1_000_000),
    body: target.contract ? validBody(target.contract) : fc.constant({}),
    ...(mode === 'mutated' ? { mutation: mutationOf(target.contract) } : {}),
  }) as Arbitrary<Plan>;
}
