import type { Database } from '../db/database.ts';
import type { Config } from '../infra/config.ts';
import type { IdentityProvider } from '../infra/identity.ts';
import type { Logger } from '../infra/logger.ts';
import type { OrderStream } from '../infra/order-stream.ts';
import type { Outbox } from '../infra/outbox.ts';
import type { RateLimits } from '../infra/rate-limits.ts';
import type { Sessions } from '../infra/sessions.ts';
import type { Tokens } from '../infra/tokens.ts';
import type { PaypalGateway } from '../providers/paypal/gateway.ts';
import type { StripeGateway } from '../providers/stripe/gateway.ts';

/** What the API is made of; tests put in their own. */
export interface ApiParts {
  config: Config;
  db: Database;
  logger: Logger;
  outbox: Outbox;
  stripe: StripeGateway;
  paypal: PaypalGateway;
  orderStream: OrderStream;
  rateLimits: RateLimits;
  tokens: Tokens;
  identity: IdentityProvider;
  sessions: Sessions;
  /** Folder of the built site; undefined serves the API alone. */
  siteFolder: string | undefined;
}
