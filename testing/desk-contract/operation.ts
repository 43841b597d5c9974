import type { Operation } from '../../api/openapi/operation.ts';
import type { StaffRole } from '../../core/staff.ts';

/** A call of the desk. Below this role it is refused; for people who are not staff it does not exist. */
export interface DeskOperation extends Operation {
  role: StaffRole;
}

export const keyReused = { 422: 'The key was used for another action.' };

export type DescribedCall = Omit<DeskOperation, 'tag' | 'session'>;
