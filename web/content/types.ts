/** A short heading with a sentence or two under it. */
export interface Point {
  readonly title: string;
  readonly text: string;
}

/** A marketing figure and what it counts. */
export interface Figure {
  readonly value: string;
  readonly label: string;
}

/** A service's own page: feature cards, the process, and what is claimed for it. */
export interface ServiceDetail {
  readonly title: string;
  readonly lead: string;
  readonly featuresTitle: string;
  readonly features: readonly Point[];
  readonly processTitle: string;
  readonly process: readonly Point[];
  readonly figures?: readonly Figure[];
  readonly closing: Point;
}
