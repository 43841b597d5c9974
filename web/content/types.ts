export interface Point {
  readonly title: string;
  readonly text: string;
}

export interface Figure {
  readonly value: string;
  readonly label: string;
}

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
