import fc, { type Arbitrary } from 'fast-check';
import { type Body, type Contract, stringFieldsOf, validBody } from './contracts.ts';
import { nastyStrings } from './corpus.ts';
import type { Mutation } from './drafts.ts';
import { mutationOf } from './mutations.ts';
import { rawBytes } from './raw-bytes.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';

/** One request to come: a valid one, one with a mutation, or bytes. */
export type Plan =
  | { mode: 'valid' | 'mutated'; target: Target; salt: number; body: Body; mutation?: Mutation }
  | { mode: 'raw'; bytes: Uint8Array };

const RAW_SHARE = 0.15;
const MUTATED_SHARE = 0.6;
/** Of the mutated requests at most this share puts the corpus into the string fields, one by one. */
const CORPUS_SHARE = 0.4;
const AT_ONCE = 500;

/** `count` requests, the same for the same seed: 60 % with one thing wrong, 25 % valid, 15 % raw bytes. */
export function* plans(count: number, seed: number): Generator<Plan> {
  const corpus = corpusPlans(Math.floor(count * MUTATED_SHARE * CORPUS_SHARE), seed);
  for (let begun = 0; begun < count; begun += AT_ONCE) {
    const numRuns = Math.min(AT_ONCE, count - begun);
    for (const plan of fc.sample(anyPlan, { numRuns, seed: seed + begun })) {
      const next = plan.mode === 'mutated' ? corpus.pop() : undefined;
      yield next ?? plan;
    }
  }
}

/** How many requests it takes to put every nasty string into every string field. */
export const wholeCorpus =
  nastyStrings.length *
  targets.reduce((sum, { contract }) => sum + (contract ? stringFieldsOf(contract).length : 0), 0);

/** Every nasty string in every string field of every contract; where `most` are too few, evenly chosen ones. */
function corpusPlans(most: number, seed: number): Plan[] {
  const every = Math.max(1, Math.ceil(wholeCorpus / Math.max(1, most)));
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
      // Not a multiple of what targets decide by: those requests have no JSON body.
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

const anyPlan: Arbitrary<Plan> = fc.oneof(
  {
    weight: MUTATED_SHARE * 100,
    arbitrary: fc.oneof(...targets.map((target) => planFor(target, 'mutated'))),
  },
  {
    weight: (1 - MUTATED_SHARE - RAW_SHARE) * 100,
    arbitrary: fc.oneof(...targets.map((target) => planFor(target, 'valid'))),
  },
  { weight: RAW_SHARE * 100, arbitrary: rawBytes.map((bytes): Plan => ({ mode: 'raw', bytes })) },
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
