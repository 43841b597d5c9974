import type { MailParts } from '../infra/assemble.ts';
import type { Gateways } from '../providers/gateways.ts';

export interface WorkerParts extends MailParts<Gateways>, Gateways {}
