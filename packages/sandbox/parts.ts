import type { Behaviors } from './behaviors.ts';
import type { SandboxConfig } from './config.ts';
import type { Faults } from './faults.ts';
import type { StateFile } from './state-file.ts';
import type { Later } from './timers.ts';
import type { Webhooks } from './webhooks.ts';

export interface SandboxParts {
  config: SandboxConfig;
  faults: Faults;
  behaviors: Behaviors;
  later: Later;
  webhooks: Webhooks;
  stateFile: StateFile;
  publicUrl: () => string;
}
