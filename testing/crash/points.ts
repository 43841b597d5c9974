import { jobNames } from '../../core/jobs.ts';
import type { ProcessName } from '../processes.ts';

/** The crash points of each kind of process. */
export const crashPoints: Record<ProcessName, string[]> = {
  web: [
    'before-order-commit',
    'after-order-commit',
    'before-provider-call',
    'after-provider-call',
    'after-attach',
    'before-webhook-commit',
    'after-webhook-commit',
    'before-enqueue',
    'before-capture',
    'after-capture',
    'after-confirm-question',
    'before-report-commit',
    'after-report-commit',
    'before-switch-commit',
    'after-switch-commit',
    'after-switch-cancel',
  ],
  worker: [
    ...jobNames.flatMap((job) => [`before-${job}`, `in-${job}`, `after-${job}`]),
    'before-enqueue',
    'before-worker-capture',
    'after-worker-capture',
    'before-refund',
    'after-refund',
    'after-cancel',
    'after-check',
    'before-smtp',
  ],
};
