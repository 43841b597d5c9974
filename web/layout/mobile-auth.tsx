import { ButtonLink } from '../components/ui/button.tsx';
import { api, paths } from '../lib/paths.ts';
import { useSession } from '../lib/session.ts';
import { LoginLink } from './auth-controls.tsx';

const outlined =
  'rounded-control border border-edge bg-surface px-5 py-3 text-center font-medium text-ink no-underline';

/** The auth actions at the end of the mobile menu. */
export function MobileAuth() {
  const session = useSession();
  if (session.state === 'loading') return null;
  if (session.state === 'anonymous') {
    return (
      <div className="mt-4 mb-3 grid grid-cols-2 gap-3">
        <LoginLink className={outlined} />
        <ButtonLink to={paths.pricing}>Get Started</ButtonLink>
      </div>
    );
  }
  return (
    <div className="mt-4 mb-3 grid gap-3">
      <p className="truncate text-sm text-muted">
        Signed in as {session.user.email ?? session.user.firstName}
      </p>
      <a href={api.logout} className={outlined}>
        Log out
      </a>
    </div>
  );
}
