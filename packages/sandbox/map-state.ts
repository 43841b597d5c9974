import type { Persistent } from './state-file.ts';

/** State that consists of maps only, with the oldest entries first. */
export class MapState implements Persistent {
  snapshot(): Record<string, unknown[]> {
    return Object.fromEntries(this.#maps().map(([name, map]) => [name, [...map]]));
  }

  restore(saved: Record<string, [string, unknown][]>): void {
    for (const [name, map] of this.#maps()) {
      for (const [id, value] of saved[name] ?? []) map.set(id, value);
    }
  }

  #maps(): [string, Map<string, unknown>][] {
    return Object.entries(this).filter(
      (entry): entry is [string, Map<string, unknown>] => entry[1] instanceof Map,
    );
  }
}
