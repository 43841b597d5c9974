import { createPostgresBackend } from 'bullmq';
import { watchListener } from './heartbeat.ts';

const MAX_BLOCK_S = 5;

/**
 * BullMQ's PostgreSQL backend, whose connection that listens is replaced when its server falls silent: BullMQ relies on
 * TCP keepalive, which a proxy answers.
 */
export const openPostgresBackend: typeof createPostgresBackend = (name, options, factoryOptions) => {
  const backend = createPostgresBackend(name, options, factoryOptions);
  // BullMQ checks clients out of the pool without listening for errors, and pg-pool listens to idle ones only: the end of
  // the server would be an uncaught exception. The query that it interrupts is rejected all the same.
  backend.connection.pool.on('connect', (client) => client.on('error', () => {}));
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
