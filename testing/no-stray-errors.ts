import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest';

let errors: MockInstance<typeof console.error>;

beforeEach(() => {
  errors = vi.spyOn(console, 'error');
});

/** A console.error that no test asked for is a failure: it is what a visitor's console would show. */
afterEach(() => {
  const calls = errors.mock.calls;
  errors.mockRestore();
  expect(calls, 'console.error was called').toEqual([]);
});
