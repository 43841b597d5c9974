import { describe, expect, test } from 'vitest';
import { requestSchemas } from './schemas.ts';

// People read the message of an invalid field, so none is a library's own sentence.
const nonsense = [
  undefined,
  null,
  7,
  1.5,
  true,
  {},
  [],
  ['x'],
  '',
  ' ',
  'x',
  'x'.repeat(10_000),
  '\u0000',
  -1,
];

describe.each(Object.entries(requestSchemas))('%s', (_name, schema) => {
  test.each(Object.keys(schema.shape))('says in our words what is wrong with %s', (field) => {
    for (const value of nonsense) {
      const { error } = schema.safeParse({ [field]: value });
      const messages = error?.issues.filter(({ path }) => path[0] === field).map(({ message }) => message);
      for (const message of messages ?? []) {
        expect(message, `for ${JSON.stringify(value)?.slice(0, 20)}`).not.toMatch(
          /^Invalid |^Too (big|small)|expected|received|undefined|null/,
        );
      }
    }
  });
});
