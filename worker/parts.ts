import type { MailParts } from '../infra/assemble.ts';
import type { PaymentGateways } from '../providers/gateway.ts';

export type WorkerParts = MailParts<PaymentGateways>;
