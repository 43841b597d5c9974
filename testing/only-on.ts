import { inject } from 'vitest';

type Define = (name: string, run: () => void | Promise<void>, timeout?: number) => void;

/** `test` or `describe` for one queue backend. The other's run does not have these tests, rather than skip them. */
export function onlyOn(backend: 'postgres' | 'redis', define: Define): Define {
  return inject('backend') === backend ? define : () => {};
}
