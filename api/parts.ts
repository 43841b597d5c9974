import type { WebParts } from '../infra/assemble.ts';
import type { Gateways } from '../providers/gateways.ts';
import type { StreamLimits } from './order-events.ts';

export interface ApiParts extends WebParts<Gateways> {
  /** Folder of the built site; undefined serves the API alone. */
  siteFolder: string | undefined;
  streamLimits?: StreamLimits;
}
