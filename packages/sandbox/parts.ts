import type { SandboxConfig } from './config.ts';
import type { Faults } from './faults.ts';
import type { StateFile } from './state-file.ts';
import type { Webhooks } from './webhooks.ts';

/** What every provider of the sandbox is built from. */
export interface SandboxParts {
  config: SandboxConfig;
  faults: Faults;
  webhooks: Webhooks;
  stateFile: StateFile;
  /** Where browsers find the sandbox, without a slash at the end. */
  publicUrl: () => string;
}
