import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { keepClosuresYoung } from './young-closures.mjs';

const young = (code) => keepClosuresYoung(code).toString();

test.each([
  ['a.b = () => 1;', 'a.b = (0, () => 1);'],
  [
    'a[b] = async (c) => { c.d = function () {}; };',
    'a[b] = (0, async (c) => { c.d = (0, function () {}); });',
  ],
  ['this.a = this.b = () => {};', 'this.a = this.b = (0, () => {});'],
])('a function that is assigned to a property is not a literal any more: %s', (code, expected) => {
  expect(young(code)).toBe(expected);
});

test.each([
  'a = () => 1;',
  'a.b = c;',
  'a.b ??= () => 1;',
  'const { a = () => 1 } = b;',
  'b({ a: () => 1 });',
])('everything else stays as it is: %s', (code) => {
  expect(young(code)).toBe(code);
});

test('the function gets no other name', () => {
  const nameOf = new Function(`const a = {}; ${young('a.b = () => 1;')} return a.b.name;`);
  expect(nameOf()).toBe('');
});

test('code that cannot be parsed is an error', () => {
  expect(() => young('a.b = (;')).toThrow();
});

test('a closure that is assigned to a property is freed by minor collections', () => {
  const assigns = 'holder.read = () => payload;';
  expect(keptMiB(assigns)).toBeGreaterThan(4);
  expect(keptMiB(young(assigns))).toBeLessThan(1);
});

/** How much an otherwise idle heap grows while 8 MiB of short-lived objects are each captured by such a closure. */
function keptMiB(assignment) {
  const script = `
    const use = (payload) => { const holder = {}; ${assignment} return holder; };
    const used = () => process.memoryUsage().heapUsed / 2 ** 20;
    for (let i = 0; i < 500; i++) use(new Array(1_000).fill(i));
    gc();
    const before = used();
    for (let i = 0; i < 1_000; i++) use(new Array(1_000).fill(i));
    gc({ type: 'minor' });
    gc({ type: 'minor' });
    console.log(used() - before);`;
  const flags = ['--expose-gc', '--max-semi-space-size=1', '--min-semi-space-size=1'];
  return Number(execFileSync(process.execPath, [...flags, '--eval', script]));
}
