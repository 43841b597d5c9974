import type { Staff } from '../core/staff.ts';
import type { Transaction } from '../db/database.ts';
import { isSameDeskAction, type NewDeskAction, recordDeskAction } from '../db/desk-actions.ts';
import { actionKeyReused } from './errors.ts';

/**
 * Records an action in the transaction that performs it. False for a repetition: there is nothing left to do.
 * @throws OrderError if the key was used for another action
 */
export async function recordAction(trx: Transaction, staff: Staff, done: NewDeskAction): Promise<boolean> {
  if (await recordDeskAction(trx, staff, done)) return true;
  if (!(await isSameDeskAction(trx, staff, done))) throw actionKeyReused();
  return false;
}

/** Records an action that is performed at every request, such as an export. @throws OrderError if the key was used before */
export async function recordNewAction(trx: Transaction, staff: Staff, done: NewDeskAction): Promise<void> {
  if (!(await recordDeskAction(trx, staff, done))) throw actionKeyReused();
}
