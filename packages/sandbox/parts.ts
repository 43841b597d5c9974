import type { Behaviours } from './behaviours.ts';
import type { SandboxConfig } from './config.ts';
import type { Faults } from './faults.ts';
import type { StateFile } from './state-file.ts';
import type { Later } from './timers.ts';
import type { Webhooks } from './webhooks.ts';

/** The dependencies of each provider. */
export interface SandboxParts {
  config: SandboxConfig;
  faults: Faults;
  behaviours: Behaviours;
  later: Later;
  webhooks: Webhooks;
  stateFile: StateFile;
  /** The sandbox's address for browsers, without a trailing slash. */
  publicUrl: () => string;
}
