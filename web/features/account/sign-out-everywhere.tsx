import { paths } from '../../../core/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { post } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { carryNotice } from '../../lib/toast-store.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { SubmissionError } from './submission-error.tsx';

export function SignOutEverywhere() {
  const signOut = useSubmission({
    call: () => post(api.signOutEverywhere),
    onSuccess() {
      carryNotice({ title: 'Signed out', description: 'You are signed out in all browsers.' });
      window.location.assign(paths.home);
    },
  });
  return (
    <>
      <Button
        look="secondary"
        pending={signOut.isPending}
        pendingLabel="Signing out..."
        className="mt-4"
        onClick={() => signOut.submit()}
      >
        Sign out everywhere
      </Button>
      <SubmissionError error={signOut.error} fallback="You could not be signed out. Please try again." />
    </>
  );
}
