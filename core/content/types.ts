/** A short heading with a sentence or two under it. */
export interface Point {
  readonly title: string;
  readonly text: string;
}

/** A marketing figure and what it counts (spec §1, §9). */
export interface Figure {
  readonly value: string;
  readonly label: string;
}
