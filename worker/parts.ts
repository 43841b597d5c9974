import type { MailParts } from '../infra/assemble.ts';
import type { Gateways } from '../providers/gateways.ts';

export type WorkerParts = MailParts<Gateways>;
