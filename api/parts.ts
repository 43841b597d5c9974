import type { WebParts } from '../infra/assemble.ts';
import type { Gateways } from '../providers/gateways.ts';
import type { StreamLimits } from './order-events.ts';

export interface ApiParts extends WebParts<Gateways> {
  siteFolder: string | undefined;
  streamLimits?: StreamLimits;
}
