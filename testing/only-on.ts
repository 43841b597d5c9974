import { inject } from 'vitest';

type Define = (name: string, run: () => void | Promise<void>, timeout?: number) => void;

/** `test` or `describe` for one queue backend. On the other, the tests are not defined, so none is reported as skipped. */
export function onlyOn(backend: 'postgres' | 'redis', define: Define): Define {
  return inject('backend') === backend ? define : () => {};
}
