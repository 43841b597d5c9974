import type { Database, Transaction } from '../db/database.ts';
import type { Order } from '../db/orders.ts';
import type { PaymentEvent } from '../db/payment-events.ts';
import type { Config } from '../infra/config.ts';
import type { Logger } from '../infra/logger.ts';
import type { Outbox } from '../infra/outbox.ts';
import type { PaymentGateways } from '../providers/gateway.ts';

export interface OrderParts {
  config: Pick<Config, 'deployment'>;
  db: Database;
  logger: Logger;
  outbox: Outbox;
  gateways: PaymentGateways;
}

export interface JobRun {
  row: string;
  requestId: string | null;
  /** Time since the job's first failure, ms, by the database's clock. */
  failingForMs: number;
  /** The event that the job applies, as it was when the run began. */
  event?: PaymentEvent | undefined;
  /** The order that the event is about or, unchecked, names; read with it. */
  order?: Order | undefined;
  logger: Logger;
  /** Runs the effect and marks the row done, in one transaction. Does nothing if another run already has. */
  complete(effect?: (trx: Transaction) => Promise<void>): Promise<void>;
  /** Lets the job run again later, without counting a failure. */
  postpone(delayMs: number): Promise<void>;
}
