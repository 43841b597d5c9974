import { setTimeout as sleep } from 'node:timers/promises';
import { delay, type Fault, type Faults } from './faults.ts';
import { newId } from './ids.ts';
import type { Persistent } from './state-file.ts';
import { WebhookClient } from './webhook-client.ts';

export type WebhookProvider = 'stripe' | 'paypal';

export interface WebhookMessage {
  provider: WebhookProvider;
  eventId: string;
  type: string;
  body: string;
}

interface Delivery extends WebhookMessage {
  id: string;
  status: 'pending' | 'delivered' | 'failed' | 'dropped';
  attempts: { at: string; status: number | null; error?: string }[];
  nextAttemptAt?: string;
}

/** Makes the headers of one attempt: each is signed again, with its own time. */
type WebhookSigner = (message: WebhookMessage) => Record<string, string>;

/** Delays between the first attempts. Real providers take hours. */
const FIRST_DELAYS_MS = [500, 1000, 2000];
const STEADY_DELAY_MS = 5000;
const MAX_ATTEMPTS = 240;
const MAX_DELIVERIES = 10_000;

/** Delivers events to the web process at least once: asynchronously, repeated until a 2xx or for about 20 minutes. */
export class Webhooks implements Persistent {
  readonly #faults: Faults;
  readonly #client: WebhookClient;
  readonly #signers = new Map<WebhookProvider, WebhookSigner>();
  readonly #deliveries = new Map<string, Delivery>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #held: Delivery[] = [];
  #release: NodeJS.Timeout | undefined;
  readonly #touch: () => void;
  #closed = false;

  constructor(faults: Faults, siteUrl: () => string, touch: () => void) {
    this.#faults = faults;
    this.#client = new WebhookClient(siteUrl);
    this.#touch = touch;
  }

  signWith(provider: WebhookProvider, signer: WebhookSigner): void {
    this.#signers.set(provider, signer);
  }

  send(message: WebhookMessage): void {
    const delivery: Delivery = { ...message, id: newId('dl'), status: 'pending', attempts: [] };
    this.#store(delivery);
    this.#schedule(delivery, 0);
  }

  drop(message: WebhookMessage): void {
    this.#store({ ...message, id: newId('dl'), status: 'dropped', attempts: [] });
  }

  isDelivered(eventId: string): boolean {
    for (const d of this.#deliveries.values())
      if (d.eventId === eventId && d.status === 'delivered') return true;
    return false;
  }

  list(provider: WebhookProvider): Delivery[] {
    return [...this.#deliveries.values()].filter((d) => d.provider === provider).reverse();
  }

  pendingOf(eventId: string): number {
    for (const d of this.#deliveries.values()) if (d.eventId === eventId && d.status === 'pending') return 1;
    return 0;
  }

  snapshot(): Delivery[] {
    return [...this.#deliveries.values()].filter((d) => d.status === 'pending');
  }

  restore(saved: Delivery[]): void {
    for (const delivery of saved) {
      this.#store(delivery);
      this.#schedule(delivery, FIRST_DELAYS_MS[0] ?? 0);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#release);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#client.close();
  }

  #store(delivery: Delivery): void {
    this.#deliveries.set(delivery.id, delivery);
    this.#touch();
    if (this.#deliveries.size <= MAX_DELIVERIES) return;
    for (const [id, old] of this.#deliveries) {
      if (old.status === 'pending') continue;
      this.#deliveries.delete(id);
      return;
    }
  }

  #schedule(delivery: Delivery, ms: number): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#attempt(delivery).catch((error) => console.error('sandbox webhook', error));
    }, ms);
    this.#timers.add(timer);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const fault = this.#faults.consume('webhooks', delivery.type);
    switch (fault?.mode) {
      case 'drop':
        delivery.status = 'dropped';
        return;
      case 'error':
        return this.#settle(delivery, null, 'fault: not sent');
      case 'timeout':
        await delay({ ...fault, ms: fault.ms ?? 10_000 });
        return this.#settle(delivery, null, 'fault: timed out');
      case 'reorder':
        return this.#hold(delivery, fault);
      case 'slow':
        await delay(fault);
        return this.#post(delivery);
      case 'duplicate':
        await Promise.all(Array.from({ length: fault.copies ?? 2 }, () => this.#post(delivery)));
        return;
      default:
        return this.#post(delivery);
    }
  }

  async #post(delivery: Delivery): Promise<void> {
    const headers = this.#signers.get(delivery.provider)?.(delivery) ?? {};
    try {
      this.#settle(
        delivery,
        await this.#client.post(`/api/webhooks/${delivery.provider}`, delivery.body, headers),
      );
    } catch (error) {
      this.#settle(delivery, null, error instanceof Error ? error.message : String(error));
    }
  }

  #settle(delivery: Delivery, status: number | null, error?: string): void {
    if (this.#closed) return;
    delivery.attempts.push({ at: new Date().toISOString(), status, error });
    delivery.nextAttemptAt = undefined;
    // The answer to a second copy never reverts a delivered status.
    if (delivery.status !== 'pending') return;
    if (status !== null && status >= 200 && status < 300) delivery.status = 'delivered';
    else if (delivery.attempts.length >= MAX_ATTEMPTS) delivery.status = 'failed';
    else {
      const delayMs = FIRST_DELAYS_MS[delivery.attempts.length - 1] ?? STEADY_DELAY_MS;
      delivery.nextAttemptAt = new Date(Date.now() + delayMs).toISOString();
      this.#schedule(delivery, delayMs);
    }
    this.#touch();
  }

  /** Collects events until the fault is used up or no more arrive, then sends them in reverse. */
  #hold(delivery: Delivery, fault: Fault): void {
    this.#held.push(delivery);
    clearTimeout(this.#release);
    const usedUp = fault.remaining !== null && fault.remaining <= 0;
    this.#release = setTimeout(() => void this.#releaseHeld(), usedUp ? 0 : (fault.ms ?? 1000));
  }

  async #releaseHeld(): Promise<void> {
    const held = this.#held.reverse();
    this.#held = [];
    for (const delivery of held) {
      await this.#post(delivery);
      await sleep(1);
    }
  }
}
