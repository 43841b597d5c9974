import type { Server } from 'node:http';

const FINISH_WITHIN_MS = 5_000;

/** Stops accepting connections, lets responses finish, and closes what is still open after 5 s (mostly live streams). */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
  await closed;
  clearTimeout(deadline);
}
