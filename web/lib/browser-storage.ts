/** Storage that may be full, blocked or absent; it then remembers nothing. */
export const remember = {
  read: (store: 'localStorage' | 'sessionStorage', key: string): string | null =>
    attempt(() => window[store].getItem(key)),
  write: (store: 'localStorage' | 'sessionStorage', key: string, value: string): void =>
    void attempt(() => window[store].setItem(key, value)),
  forget: (store: 'localStorage' | 'sessionStorage', key: string): void =>
    void attempt(() => window[store].removeItem(key)),
};

function attempt<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
