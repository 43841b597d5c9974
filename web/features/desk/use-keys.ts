import { type RefObject, useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router-dom';
import { areShortcutsOn } from './shortcuts.tsx';

/** Calls `act` on key presses, except in text fields, with a modifier, or while shortcuts are turned off. */
function useKeys(act: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      const isAlone = !event.metaKey && !event.ctrlKey && !event.altKey;
      if (!isTyping && isAlone && areShortcutsOn()) act(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}

/** `/` leads to the search. */
export function useSearchKey(goToSearch: () => void): void {
  useKeys((event) => {
    if (event.key !== '/') return;
    event.preventDefault();
    const search = document.querySelector<HTMLInputElement>('input[type=search]');
    if (search) search.focus();
    else goToSearch();
  });
}

/** `j` and `k` go from row to row, `j` past the last one by `onEnd`; Enter follows the focused one, as for every link. */
export function useRowKeys(list: RefObject<HTMLElement | null>, onEnd?: () => void): void {
  useKeys((event) => {
    const step = { j: 1, k: -1 }[event.key];
    if (!step) return;
    const rows = rowsOf(list);
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (step > 0 && at >= 0 && at === rows.length - 1) return onEnd?.();
    const next = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
    rows[next]?.focus();
  });
}

interface PagedList {
  hasNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Loads the next page of a list with these ids and focuses its first row, from where `j` and `k` continue. */
export function useNextPage(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  { hasNextPage, fetchNextPage }: PagedList,
): () => Promise<void> {
  const last = useRef<string>(undefined);
  useEffect(() => {
    const at = last.current ? ids.indexOf(last.current) : -1;
    if (at < 0 || at === ids.length - 1) return;
    last.current = undefined;
    rowsOf(list)[at + 1]?.focus();
  }, [ids, list]);
  return async () => {
    if (!hasNextPage) return;
    last.current = ids.at(-1);
    await fetchNextPage();
  };
}

let opened: string | undefined;

export function rememberRow(id: string): void {
  opened = id;
}

/** On the way back to a list focuses the row that was opened. */
export function useReturn(list: RefObject<HTMLElement | null>, ids: readonly string[]): void {
  const isBack = useNavigationType() === 'POP';
  useEffect(() => {
    const at = isBack && opened ? ids.indexOf(opened) : -1;
    if (at < 0) return;
    opened = undefined;
    rowsOf(list)[at]?.focus();
  }, [ids, isBack, list]);
}

function rowsOf(list: RefObject<HTMLElement | null>): HTMLElement[] {
  return [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
}
