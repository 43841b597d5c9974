import type { Database } from '../db/database.ts';
import type { Config } from '../infra/config.ts';
import type { Logger } from '../infra/logger.ts';
import type { Mailer } from '../infra/mailer.ts';
import type { Outbox } from '../infra/outbox.ts';
import type { QueueBackend } from '../infra/queue.ts';
import type { Tokens } from '../infra/tokens.ts';
import type { PaymentGateways } from '../providers/gateway.ts';
import type { PaypalGateway } from '../providers/paypal/gateway.ts';
import type { StripeGateway } from '../providers/stripe/gateway.ts';

/** What a worker is made of; tests put in their own. */
export interface WorkerParts {
  config: Config;
  db: Database;
  logger: Logger;
  backend: QueueBackend;
  outbox: Outbox;
  stripe: StripeGateway;
  paypal: PaypalGateway;
  gateways: PaymentGateways;
  mailer: Mailer;
  tokens: Tokens;
}
