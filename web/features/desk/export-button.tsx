import { Button } from '../../components/ui/button.tsx';
import { apiError, messageOf } from '../../lib/api-client.ts';
import { useSubmission } from '../../lib/use-submission.ts';

export function ExportButton(props: { path: string; body?: unknown; file: string }) {
  const saving = useSubmission({
    async mutationFn() {
      const answer = await fetch(props.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(props.body ?? {}),
      });
      if (!answer.ok) throw await apiError(answer.status, await answer.text());
      save(await answer.blob(), props.file);
    },
  });
  return (
    <div>
      <Button
        look="secondary"
        className="!py-2 text-sm"
        pending={saving.isPending}
        pendingLabel="Exporting..."
        onClick={() => saving.mutate()}
      >
        Export as CSV
      </Button>
      {saving.error && (
        <p role="alert" className="mt-2 text-sm text-error">
          {messageOf(saving.error, 'The export failed. Please try again.')}
        </p>
      )}
    </div>
  );
}

export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
