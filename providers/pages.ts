import type { PaymentMethod } from '../core/orders.ts';
import { ProviderError } from './provider-error.ts';

export const MAX_PAGES = 500;
export const MAX_LIST_MS = 60_000;

interface Page<T> {
  items: T[];
  /** Where the next page starts; undefined after the last one. */
  next: string | undefined;
}

/** A list of the provider that repeats a page, or does not end within {@link MAX_PAGES} or {@link MAX_LIST_MS}. */
export class EndlessList extends ProviderError {
  constructor(provider: PaymentMethod, problem: string) {
    super(provider, `${provider}: the list ${problem}`, { statusCode: 200, cause: undefined });
    this.name = 'EndlessList';
  }
}

/** Reads a list page by page. @throws EndlessList after the items that were read */
export async function* readPages<T>(
  provider: PaymentMethod,
  readPage: (start: string | undefined) => Promise<Page<T>>,
  now: () => number = () => performance.now(),
): AsyncGenerator<T> {
  const endBy = now() + MAX_LIST_MS;
  const starts = new Set<string>();
  for (let start: string | undefined; ; ) {
    const { items, next } = await readPage(start);
    yield* items;
    if (next === undefined) return;
    if (starts.has(next)) throw new EndlessList(provider, 'repeats a page');
    if (starts.size + 1 === MAX_PAGES) throw new EndlessList(provider, `has more than ${MAX_PAGES} pages`);
    if (now() > endBy) throw new EndlessList(provider, `takes longer than ${MAX_LIST_MS} ms`);
    starts.add(next);
    start = next;
  }
}
