import type { QueryKey } from '@tanstack/react-query';
import type { PlainAction } from '../../../core/desk-actions.ts';
import type { StaffView } from '../../../core/staff.ts';
import { ActionForm } from './action-form.tsx';
import { Disclosure } from './disclosure.tsx';

interface Props {
  label: string;
  path: string;
  me: StaffView;
  /** What is read again afterwards. */
  shown: QueryKey;
  /** Whether `j` and `k` stop here: there is no link beside it. */
  isRow?: boolean;
  onDone?: () => void;
}

/** An action that takes nothing but a reason. */
export function ReasonForm({ label, path, me, isRow, ...form }: Props) {
  if (me.role !== 'operator') return null;
  return (
    <Disclosure label={`${label} with a reason`} isRow={isRow}>
      <ActionForm<PlainAction> path={path} {...form} label={label} build={(asked) => asked} />
    </Disclosure>
  );
}
