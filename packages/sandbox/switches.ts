/** Something that applies to the next `remaining` interactions, or until it is removed. */
export interface Switch {
  id: number;
  /** Interactions still to match; null: until removed. */
  remaining: number | null;
  match?: string;
  matched: number;
}

/** The switches in force, oldest first. `consume` returns the one to apply and counts it. */
export class Switches<T extends Switch> {
  #nextId = 1;
  #active: T[] = [];

  list(): T[] {
    return this.#active.map((item) => ({ ...item }));
  }

  protected insert(item: T): T {
    this.#active.push(item);
    return { ...item };
  }

  protected nextId(): number {
    return this.#nextId++;
  }

  clear(): void {
    this.#active = [];
  }

  protected drop(isToDrop: (item: T) => boolean): void {
    this.#active = this.#active.filter((item) => !isToDrop(item));
  }

  protected find(isFor: (item: T) => boolean, subject: string): T | undefined {
    const found = this.#active.find((item) => isFor(item) && (!item.match || subject.includes(item.match)));
    if (!found) return undefined;
    found.matched += 1;
    if (found.remaining !== null) {
      found.remaining -= 1;
      if (found.remaining <= 0) this.#active = this.#active.filter((item) => item !== found);
    }
    return { ...found };
  }
}

/** @throws RangeError with a message for the caller */
export function oneOf<T extends string>(allowed: readonly T[], value: unknown, name: string): T {
  const found = allowed.find((item) => item === value);
  if (!found) throw new RangeError(`${name} must be one of ${allowed.join(', ')}`);
  return found;
}

/** @throws RangeError with a message for the caller */
export function optionalPositive(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    throw new RangeError(`${name} must be a positive whole number`);
  }
  return value;
}
