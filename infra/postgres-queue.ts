import { createPostgresBackend } from 'bullmq';
import type { Pool } from 'pg';
import { watchListener } from './heartbeat.ts';

const MAX_BLOCK_S = 5;
/** “cached plan must not change result type” (https://github.com/npgsql/npgsql/issues/4015). */
const PLAN_CHANGED = '0A000';

/**
 * BullMQ's PostgreSQL backend, whose connection that listens is replaced when its server falls silent: BullMQ relies on
 * TCP keepalive, which a proxy answers.
 */
export const openPostgresBackend: typeof createPostgresBackend = (name, options, factoryOptions) => {
  const backend = createPostgresBackend(name, options, factoryOptions);
  // BullMQ checks clients out of the pool without listening for errors, and pg-pool listens to idle ones only: the end of
  // the server would be an uncaught exception. The query that it interrupts is rejected all the same.
  backend.connection.pool.on('connect', (client) => client.on('error', () => {}));
  // It is pg's Pool, of which BullMQ's type declares only a part.
  prepareStatements(backend.connection.pool as unknown as Pool);
  if (!factoryOptions?.withBlockingConnection) return backend;
  // After an error a worker waits this long for a notification, by default an hour, although those of the jobs that already
  // wait have been sent.
  Object.defineProperty(backend, 'maximumBlockTimeout', { value: MAX_BLOCK_S });
  const { connection } = backend;
  let client: Awaited<ReturnType<typeof connection.getListenClient>> | undefined;
  const endWatch = watchListener(async () => {
    // While it is closing, the server must answer too, and a call would open another one.
    if (!connection.isClosing) client = await connection.getListenClient();
    return client;
  });
  connection.once('close', endWatch);
  return backend;
};

const names = new Map<string, string>();

/**
 * Each connection parses and plans a statement of BullMQ once: that takes a twelfth of PostgreSQL's time for an order. A
 * newer release may change what one returns, which PostgreSQL refuses before it runs a prepared one.
 */
function prepareStatements(pool: Pool): void {
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    async query(text: string, values: unknown[]) {
      const name = names.get(text) ?? `bullmq ${names.size + 1}`;
      names.set(text, name);
      try {
        return await query({ name, text, values });
      } catch (error) {
        if ((error as { code?: string }).code !== PLAN_CHANGED) throw error;
        return query(text, values);
      }
    },
  });
}
