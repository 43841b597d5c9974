import type { QueryKey } from '@tanstack/react-query';
import type { Dismissal } from '../../../core/desk-actions.ts';
import type { StaffView } from '../../../core/staff.ts';
import { ActionForm } from './action-form.tsx';

/** Ends what an operator has seen to, by `path`. `shown` is read again afterwards. */
export function DismissForm({ path, me, shown }: { path: string; me: StaffView; shown: QueryKey }) {
  if (me.role !== 'operator') return null;
  return (
    <details className="mt-1">
      <summary className="link w-fit">Dismiss with a reason</summary>
      <ActionForm<Dismissal> path={path} shown={shown} label="Dismiss" build={(asked) => asked} />
    </details>
  );
}
