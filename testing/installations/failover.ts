import type { TestPostgres } from '../services/postgres.ts';
import { waitFor } from '../wait-for.ts';
import { startHaproxy } from './haproxy.ts';
import type { ShopRun } from './shop-run.ts';
import { ask, startStandby } from './standby.ts';

/**
 * A primary and a synchronous standby behind a proxy, without Redis. The primary falls silent, as a machine that lost its
 * network does: its connections stay open and nothing answers. The standby is promoted.
 */
export async function startFailover(
  folder: string,
  primary: TestPostgres,
): Promise<ShopRun & { stop(): Promise<void> }> {
  const standby = await startStandby(folder, primary, 'synchronous');
  const proxy = await startHaproxy(folder, [primary.url, standby.url]);
  await waitFor('the proxy leads to the primary', () => isWritable(proxy.url));
  return {
    databaseUrl: proxy.url,
    env: {},
    async strike() {
      primary.pause();
      await standby.promote();
      await waitFor('the proxy leads to the standby', () => isWritable(proxy.url));
    },
    async stop() {
      primary.resume();
      await proxy.stop();
      await standby.stop();
    },
  };
}

async function isWritable(url: string): Promise<boolean> {
  const rows = await ask(url, 'select pg_is_in_recovery() as "isStandby"').catch(() => []);
  return rows[0]?.isStandby === false;
}
