import type { QueryKey } from '@tanstack/react-query';
import type { PlainAction } from '../../../core/desk-actions.ts';
import type { StaffView } from '../../../core/staff.ts';
import { ActionForm } from './action-form.tsx';

interface Props {
  path: string;
  me: StaffView;
  /** What is read again afterwards. */
  shown: QueryKey;
  /** Whether `j` and `k` stop here: there is no link beside it. */
  isRow?: boolean;
}

export function DismissForm({ path, me, shown, isRow = false }: Props) {
  if (me.role !== 'operator') return null;
  return (
    <details className="mt-1">
      <summary className="link w-fit" data-row={isRow || undefined}>
        Dismiss with a reason
      </summary>
      <ActionForm<PlainAction> path={path} shown={shown} label="Dismiss" build={(asked) => asked} />
    </details>
  );
}
