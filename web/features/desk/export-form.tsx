import type { PlainAction } from '../../../core/desk-actions.ts';
import type { StaffView } from '../../../core/staff.ts';
import { apiError } from '../../lib/api-client.ts';
import { ActionForm, type Outcome } from './action-form.tsx';
import { Disclosure } from './disclosure.tsx';
import { FreshSignIn, isFresh } from './parts.tsx';

/** Asks why, and saves the file that the call answers with. */
export function ExportForm(props: {
  me: StaffView;
  path: string;
  file: string;
  body?: object;
  className: string;
}) {
  const { me, path, file, body, className } = props;
  return (
    <Disclosure label="Export as CSV" className={className}>
      {isFresh(me) ? (
        <ActionForm<PlainAction>
          path={path}
          label="Export"
          isRecordedEachTime
          build={(asked) => ({ ...asked, ...body })}
          send={(address, wanted) => download(address, wanted, file)}
        />
      ) : (
        <FreshSignIn />
      )}
    </Disclosure>
  );
}

async function download(path: string, wanted: PlainAction, file: string): Promise<Outcome> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  });
  if (!answer.ok) throw await apiError(answer.status, await answer.text());
  return save(await answer.blob(), file);
}

export function save(content: Blob, file: string): Outcome {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
  return { text: 'The file is saved.' };
}
