import { type IRateLimiterOptions, RateLimiterMemory } from 'rate-limiter-flexible';
import { clientNetwork } from './client-key.ts';

export const MAX_KEYS = 20_000;

/**
 * In-memory counters whose number is capped, since strangers choose the keys. Above `MAX_KEYS` keys within `duration`, new ones
 * are counted by network; above as many networks, together.
 */
export class CappedMemory extends RateLimiterMemory {
  readonly #keys = new Set<string>();
  readonly #networks = new Set<string>();
  readonly #durationMs: number;
  #clearAt: number;

  constructor(options: IRateLimiterOptions & { duration: number }) {
    super(options);
    this.#durationMs = options.duration * 1_000;
    this.#clearAt = Date.now() + this.#durationMs;
  }

  override getKey(key: string): string {
    return super.getKey(this.#slotOf(key));
  }

  /** Counts that outlive this expire within another `duration`, so there are never more than twice as many. */
  #clearWhenOver(): void {
    if (Date.now() < this.#clearAt) return;
    this.#clearAt = Date.now() + this.#durationMs;
    this.#keys.clear();
    this.#networks.clear();
  }

  #slotOf(key: string): string {
    this.#clearWhenOver();
    if (hasRoomFor(this.#keys, key)) return key;
    const network = clientNetwork(key.replace(/\/64$/, ''));
    return hasRoomFor(this.#networks, network) ? `overflow:${network}` : 'overflow';
  }
}

function hasRoomFor(known: Set<string>, key: string): boolean {
  if (known.size < MAX_KEYS) known.add(key);
  return known.has(key);
}
