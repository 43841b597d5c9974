import { deskTargets } from './desk-targets.ts';
import { formTargets } from './form-targets.ts';
import { orderTargets } from './order-targets.ts';
import { pageTargets } from './page-targets.ts';
import type { Target } from './target.ts';
import { webhookTargets } from './webhook-targets.ts';

export const targets: readonly Target[] = [
  ...orderTargets,
  ...formTargets,
  ...webhookTargets,
  ...pageTargets,
  ...deskTargets,
];
