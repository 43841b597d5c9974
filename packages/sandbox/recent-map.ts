/** A map that keeps its newest entries only, so that hours of load do not fill the memory. */
export class RecentMap<V> extends Map<string, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: string, value: V): this {
    super.set(key, value);
    const oldest = this.size > this.#max ? this.keys().next().value : undefined;
    if (oldest !== undefined) this.delete(oldest);
    return this;
  }
}
