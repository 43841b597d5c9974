import type { Percentiles } from './percentiles.ts';

/** The machine's speed varies: what is compared is measured in turn, and latency is a median turn's. */
export const TURNS = 3;

/** The median of {@link TURNS} turns, by p99. */
export async function medianTurn<T extends Percentiles>(turn: () => Promise<T>): Promise<T> {
  const turns: T[] = [];
  for (let done = 0; done < TURNS; done++) turns.push(await turn());
  return medianOf(turns);
}

export function medianOf<T extends Percentiles>(turns: T[]): T {
  const sorted = [...turns].sort((one, other) => one.p99 - other.p99);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (!median) throw new Error('No turn was measured');
  return median;
}
