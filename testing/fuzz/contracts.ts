import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';
import { nastyStrings } from './corpus.ts';

export type Contract = z.ZodObject;
export type Body = Record<string, unknown>;

/** The part of a field's JSON Schema from which values are generated. */
interface FieldSchema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  exclusiveMinimum?: number;
  maximum?: number;
}

interface ObjectSchema {
  properties: Record<string, FieldSchema>;
  required?: string[];
}

/** Bodies that the contract accepts. */
export function validBody(contract: Contract): Arbitrary<Body> {
  const { properties, required = [] } = schemaOf(contract);
  const fields = Object.entries(properties).map(([name, schema]): [string, Arbitrary<unknown>] => [
    name,
    accepted(contract, name, validValue(schema)),
  ]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

/** Invalid values for a field, and values at the edge of validity. */
export function oddValue(contract: Contract, field: string): Arbitrary<unknown> {
  const schema = schemaOf(contract).properties[field] ?? {};
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...nastyStrings) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
    { weight: 2, arbitrary: borders(schema) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom(...oddNumbers) },
    { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { $ne: '' }) },
    { weight: 1, arbitrary: fc.array(validValue(schema), { maxLength: 50 }) },
  );
}

export function fieldsOf(contract: Contract): string[] {
  return Object.keys(schemaOf(contract).properties);
}

/** The string fields, into which every nasty string goes. */
export function stringFieldsOf(contract: Contract): string[] {
  return Object.entries(schemaOf(contract).properties)
    .filter(([, schema]) => schema.type === 'string')
    .map(([name]) => name);
}

const oddNumbers = [
  0,
  -0,
  -1,
  1,
  0.5,
  299_899,
  299_900.5,
  299_901,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e300,
  5e-324,
];

function validValue(schema: FieldSchema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.type === 'integer') {
    return fc.integer({
      min: (schema.exclusiveMinimum ?? -1) + 1,
      max: Math.min(schema.maximum ?? 1e9, 1e9),
    });
  }
  if (schema.type === 'object') return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
  if (schema.pattern?.includes('@')) return fc.emailAddress();
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  const { minLength = 0, maxLength = 200 } = schema;
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 120)) });
}

/** Texts at and just beyond the length limits. */
function borders({ minLength = 0, maxLength = 200 }: FieldSchema): Arbitrary<string> {
  const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].filter((length) => length >= 0);
  return fc
    .tuple(fc.constantFrom(...lengths), fc.constantFrom('a', 'é', '👍', ' ', '\u0000', '"'))
    .map(([length, character]) => character.repeat(length));
}

/** Filters by the field's zod rules. If hardly any value passes, the target must supply the field itself. */
function accepted(contract: Contract, field: string, values: Arbitrary<unknown>): Arbitrary<unknown> {
  const rules = contract.shape[field];
  const passes = (value: unknown) => rules !== undefined && z.safeParse(rules, value).success;
  return fc.sample(values, { numRuns: 50, seed: 1 }).some(passes) ? values.filter(passes) : values;
}

const schemas = new Map<Contract, ObjectSchema>();

function schemaOf(contract: Contract): ObjectSchema {
  const known = schemas.get(contract);
  if (known) return known;
  const schema = z.toJSONSchema(contract, { io: 'input', unrepresentable: 'any' }) as unknown as ObjectSchema;
  schemas.set(contract, schema);
  return schema;
}
