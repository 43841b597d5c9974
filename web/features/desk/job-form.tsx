import type { QueryKey } from '@tanstack/react-query';
import type { JobAction } from '../../../core/desk-actions.ts';
import type { StaffView } from '../../../core/staff.ts';
import { SelectField } from '../../components/ui/field.tsx';
import { ActionForm } from './action-form.tsx';
import { deskApi } from './desk-paths.ts';
import { FreshSignIn, isFresh } from './parts.tsx';

interface Props {
  jobId: string;
  me: StaffView;
  /** What is read again afterwards. */
  shown: QueryKey;
  /** Whether `j` and `k` stop here: there is no link beside it. */
  isRow?: boolean;
}

/** What an operator can do about a job that failed permanently. */
export function JobForm({ jobId, me, shown, isRow = false }: Props) {
  if (me.role !== 'operator') return null;
  return (
    <details className="mt-1">
      <summary className="link w-fit" data-row={isRow || undefined}>
        Run again or discard
      </summary>
      {isFresh(me) ? (
        <ActionForm<JobAction>
          path={deskApi.job(jobId)}
          shown={shown}
          label="Confirm"
          build={(asked, { action }) => ({ ...asked, action: action as 'retry' })}
        >
          <SelectField label="What to do" name="action" required defaultValue="retry">
            <option value="retry">Run it again, with all its attempts</option>
            <option value="discard">Discard it: it never runs again</option>
          </SelectField>
        </ActionForm>
      ) : (
        <FreshSignIn />
      )}
    </details>
  );
}
