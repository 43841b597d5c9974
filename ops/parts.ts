import { randomUUID } from 'node:crypto';
import { createDatabase, type Database, type Transaction } from '../db/database.ts';
import { makeDue } from '../db/dead-jobs.ts';
import { announceOrders, transact } from '../db/outbox.ts';
import { type Config, readCommandConfigOrExit } from '../infra/config.ts';
import { createTokens, type Tokens } from '../infra/tokens.ts';
import type { PaymentGateways } from '../providers/gateway.ts';
import { createPaypalGateway } from '../providers/paypal/gateway.ts';
import { createStripeGateway } from '../providers/stripe/gateway.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** What the operator's commands work with: the database and the providers. The queue is left to the workers. */
export interface OpsParts {
  config: Config;
  db: Database;
  gateways: PaymentGateways;
  tokens: Tokens;
}

/** A command's surroundings; tests put in their own. */
export interface Ops {
  terminal: Terminal;
  /** Opens the parts for `work`, and closes them afterwards. */
  use<T>(work: (parts: OpsParts) => Promise<T>): Promise<T>;
}

export const processOps: Ops = {
  terminal: processTerminal,
  async use(work) {
    const config = readCommandConfigOrExit();
    const db = createDatabase(config.databaseUrl, { poolMax: 4, applicationName: 'querywright ops' });
    const gateways = {
      stripe: createStripeGateway(config.stripe, config.deployment),
      paypal: createPaypalGateway(config.paypal, config.deployment, config.publicUrl),
    };
    try {
      return await work({ config, db, gateways, tokens: createTokens(config.sessionSecrets) });
    } finally {
      await db.destroy();
    }
  },
};

/**
 * One transaction of an operator, with a request id of its own. What it enqueues is taken by a worker's relay
 * within 5 s; the watchers of its orders are told at once.
 */
export async function commit<T>(
  db: Database,
  work: (trx: Transaction, requestId: string) => Promise<T>,
): Promise<T> {
  const requestId = `ops-${randomUUID()}`;
  const { result, enqueued, changedOrders } = await transact(db, requestId, (trx) => work(trx, requestId));
  await makeDue(
    db,
    enqueued.map(({ id }) => id),
  );
  if (changedOrders.length > 0) await announceOrders(db, changedOrders);
  return result;
}
