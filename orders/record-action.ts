import type { Staff } from '../core/staff.ts';
import type { Transaction } from '../db/database.ts';
import { isSameDeskAction, type NewDeskAction, recordDeskAction } from '../db/desk-actions.ts';
import { actionKeyReused } from './errors.ts';

/**
 * Records an action in the transaction that takes it. False if it is a repetition: nothing more is to be done.
 * @throws OrderError if the key was used for another action
 */
export async function recordAction(trx: Transaction, staff: Staff, done: NewDeskAction): Promise<boolean> {
  if (await recordDeskAction(trx, staff, done)) return true;
  if (!(await isSameDeskAction(trx, staff, done))) throw actionKeyReused();
  return false;
}

/** Records what is done each time that it is asked for. @throws OrderError if the key was used before */
export async function recordNewAction(trx: Transaction, staff: Staff, done: NewDeskAction): Promise<void> {
  if (!(await recordDeskAction(trx, staff, done))) throw actionKeyReused();
}
