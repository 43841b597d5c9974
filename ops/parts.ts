import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../db/database.ts';
import { transact } from '../db/unit-of-work.ts';
import { assembleBase, type BaseParts } from '../infra/assemble.ts';
import { readCommandConfigOrExit } from '../infra/config.ts';
import { createLogger } from '../infra/logger.ts';
import { type Gateways, openGateways } from '../providers/gateways.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** Commands use the database and the providers; the queue is left to the workers. */
export type OpsParts = Pick<BaseParts<Gateways>, 'config' | 'db' | 'gateways' | 'tokens'>;

export interface Ops {
  terminal: Terminal;
  /** Opens the parts for `work` and closes them afterwards. */
  use<T>(work: (parts: OpsParts) => Promise<T>): Promise<T>;
}

export const processOps: Ops = {
  terminal: processTerminal,
  async use(work) {
    const config = readCommandConfigOrExit();
    const logger = createLogger('ops', { logLevel: 'silent' });
    const parts = assembleBase(config, logger, { name: 'ops', poolMax: 4, openGateways });
    try {
      return await work(parts);
    } finally {
      await parts.close();
    }
  },
};

/** Runs one transaction under a new request id. Workers relay its jobs within 5 s. */
export async function commit<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  const { result } = await transact(db, `ops-${randomUUID()}`, work);
  return result;
}
