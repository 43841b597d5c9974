import { paths } from '../../../core/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { messageOf, post } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { useSubmission } from '../../lib/use-submission.ts';

export function SignOutEverywhere() {
  const signOut = useSubmission({
    mutationFn: () => post(api.signOutEverywhere),
    onSuccess: () => window.location.assign(paths.home),
  });
  return (
    <>
      <Button
        look="secondary"
        pending={signOut.isPending}
        pendingLabel="Signing out..."
        className="mt-4"
        onClick={() => signOut.mutate()}
      >
        Sign out everywhere
      </Button>
      {signOut.isError && (
        <p role="alert" className="mt-3 text-error">
          {messageOf(signOut.error, 'You could not be signed out. Please try again.')}
        </p>
      )}
    </>
  );
}
