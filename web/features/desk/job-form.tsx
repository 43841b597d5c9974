import type { QueryKey } from '@tanstack/react-query';
import type { JobAction } from '../../../core/desk-actions.ts';
import type { StaffView } from '../../../core/staff.ts';
import { SelectField } from '../../components/ui/select-field.tsx';
import { ActionForm } from './action-form.tsx';
import { deskApi } from './desk-api.ts';
import { Disclosure } from './disclosure.tsx';
import { FreshSignIn, isFresh } from './parts.tsx';

interface Props {
  jobId: string;
  me: StaffView;
  /** What is read again afterwards. */
  shown: QueryKey;
  /** Whether `j` and `k` stop here: there is no link beside it. */
  isRow?: boolean;
  onDone?: () => void;
}

/** What an operator can do about a job that failed permanently. */
export function JobForm({ jobId, me, isRow, ...form }: Props) {
  if (me.role !== 'operator') return null;
  return (
    <Disclosure label="Run again or discard" isRow={isRow}>
      {isFresh(me) ? (
        <ActionForm<JobAction>
          path={deskApi.job(jobId)}
          {...form}
          label="Confirm"
          build={(asked, { action }) => ({ ...asked, action: action as 'retry' })}
        >
          <SelectField label="What to do" name="action" required defaultValue="retry">
            <option value="retry">Run it again, with all its attempts</option>
            <option value="discard">Discard: do not run it again</option>
          </SelectField>
        </ActionForm>
      ) : (
        <FreshSignIn />
      )}
    </Disclosure>
  );
}
