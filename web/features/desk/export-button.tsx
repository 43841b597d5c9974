import type { OrderFilters } from '../../../core/desk-orders.ts';
import { Button } from '../../components/ui/button.tsx';
import { apiError, messageOf } from '../../lib/api-client.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { deskApi } from './desk-paths.ts';

/** Saves the orders that pass the filters as a file. */
export function ExportButton({ filters }: { filters: OrderFilters }) {
  const saving = useSubmission({
    async mutationFn() {
      const answer = await fetch(deskApi.exportOrders, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(filters),
      });
      if (!answer.ok) throw await apiError(answer.status, await answer.text());
      save(await answer.blob());
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

function save(file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = 'orders.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
