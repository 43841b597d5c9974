import { concernsToRemind, nameOf, repeatAfterMs } from '../core/concerns.ts';
import type { JobPayload } from '../core/jobs.ts';
import { queueEmails } from '../db/emails.ts';
import { takeTurn } from '../db/schedules.ts';
import { observeShop } from '../orders/observe-shop.ts';
import type { JobRun } from '../orders/parts.ts';
import type { WorkerParts } from './parts.ts';

export const REMINDERS_EVERY_MS = 5 * 60_000;

/** Reminds staff of concerns that have been open for too long, each at most hourly. */
export async function remindStaff(
  { db, gateways, config }: WorkerParts,
  _payload: JobPayload<'remind-staff'>,
  run: JobRun,
): Promise<void> {
  const concerns = concernsToRemind(await observeShop({ db, gateways, config }));
  await run.complete(async (trx) => {
    for (const concern of concerns) {
      const name = `remind-staff ${nameOf(concern)}`;
      if (!(await takeTurn(trx, name, repeatAfterMs(concern)))) continue;
      run.logger.warn({ concern }, 'staff reminded');
      const dedupeKey = `${nameOf(concern)}:${run.row}`;
      await queueEmails(trx, [{ kind: 'staff_reminder', dedupeKey, params: { concern } }]);
    }
  });
}
