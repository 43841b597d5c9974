import { within } from './deadline.ts';

const HEARTBEAT_MS = 2_000;
const ANSWER_MS = 3_000;

interface ListeningClient {
  query(text: string): Promise<unknown>;
}

/**
 * Destroys the connection that `current` returns when its server does not answer for 3 s; its owner reconnects. Nothing is
 * sent on a connection that only listens, so a silent server would go unnoticed for as long as a proxy keeps it open.
 * Returns a function that ends the watch.
 */
export function watchListener(current: () => Promise<ListeningClient | undefined>): () => void {
  let isEnded = false;
  let timer = setTimeout(beat, HEARTBEAT_MS).unref();

  async function beat(): Promise<void> {
    // Nothing to watch: the owner is reconnecting.
    const client = await current().catch(() => undefined);
    if (client) await within(ANSWER_MS, client.query('select 1')).catch(() => breakOff(client));
    if (!isEnded) timer = setTimeout(beat, HEARTBEAT_MS).unref();
  }

  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

/** Destroys the connection: ending it properly would wait for the server. */
export function breakOff(client: object): void {
  (client as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
