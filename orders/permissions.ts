import type { Staff } from '../core/staff.ts';
import { freshSignInRequired, operatorsOnly } from './errors.ts';

/** @throws OrderError for a viewer */
export function requireOperator({ role }: Staff): void {
  if (role !== 'operator') throw operatorsOnly();
}

/** @throws OrderError for a viewer, and for an operator who did not sign in again within the last minutes */
export function requireFreshOperator(staff: Staff): void {
  requireOperator(staff);
  if (staff.freshUntil <= Date.now()) throw freshSignInRequired();
}
