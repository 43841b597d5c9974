import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from './json-body.ts';

const read = (text: string) => readJson(Buffer.from(text));

test('reads every JSON object as JSON.parse does', () => {
  const forbidden = /"(__proto__|constructor|prototype)":/;
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 20 })), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!forbidden.test(text));
      expect(read(text)).toEqual(JSON.parse(text));
      expect(read(JSON.stringify(value, null, '\t'))).toEqual(JSON.parse(text));
    }),
  );
});

test('refuses duplicate keys at any depth', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.nat(20), (key, value, levels) => {
      const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
      const inside = `${'{"a":['.repeat(levels / 2)}{${member},"b":{},${member}}${']}'.repeat(levels / 2)}`;
      expect(() => read(inside)).toThrow();
    }),
  );
});

test.each(['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"a":{"b":1,"b":2}}]', '{"":1,"":2}', '{"1":0,"1":0}'])(
  '%s has a duplicate key',
  (text) => {
    expect(() => read(text)).toThrow('twice');
  },
);

test.each(['{"a":{"b":1},"b":1}', '[{"a":1},{"a":1}]', '{"a":":","b":"\\":{"}', '{"a\\"":1,"a":1}'])(
  '%s does not',
  (text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  },
);

describe('keys that could reach a prototype', () => {
  test.each(['{"__proto__":{}}', '{"a":[{"constructor":1}]}', '{"\\u005f_proto__":1}', '{"prototype":1}'])(
    '%s is refused',
    (text) => {
      expect(() => read(text)).toThrow('Unknown field');
    },
  );
});

test('32 levels are read, 33 are not, and 100,000 do not exhaust the stack', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(read(nested(32))).toEqual(JSON.parse(nested(32)));
  for (const levels of [33, 100_000]) expect(() => read(nested(levels))).toThrow('32 levels');
});

test.each(['', ' ', 'null', '1', '"a"', 'true', '{', '{"a":1,}', '{a:1}', "{'a':1}", '{}{}', '\ufeff'])(
  '%j is not a body',
  (text) => {
    expect(() => read(text)).toThrow(/JSON/);
  },
);

test('bytes that are not UTF-8 are refused, not replaced', () => {
  expect(() => readJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow('not valid JSON');
});
