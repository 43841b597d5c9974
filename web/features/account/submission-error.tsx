import { messageOf } from '../../lib/api-client.ts';

/** Why a submission failed: the server's message, else the text for this situation. */
export function SubmissionError({ error, fallback }: { error: Error | null; fallback: string }) {
  if (!error) return null;
  return (
    <p role="alert" className="mt-3 text-error">
      {messageOf(error, fallback)}
    </p>
  );
}
