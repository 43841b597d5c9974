import { type RefObject, useEffect } from 'react';

/** Calls `act` when this key is pressed, except in a text field or with a modifier. */
function useKeys(act: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (!isTyping && !event.metaKey && !event.ctrlKey && !event.altKey) act(event);
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

/** `j` and `k` go from row to row; Enter follows the one that has the focus, as for every link. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useKeys((event) => {
    const step = { j: 1, k: -1 }[event.key];
    if (!step) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
    rows[next]?.focus();
  });
}
