import { lazy, Suspense } from 'react';
import { paths } from '../../core/paths.ts';
import { ButtonLink } from '../components/ui/button.tsx';
import { api } from '../lib/api-paths.ts';
import { useSession } from '../lib/session.ts';

const AccountMenu = lazy(() =>
  import('./account-menu.tsx').then(
    ({ AccountMenu }) => ({ default: AccountMenu }),
    () => ({ default: LogoutLink }),
  ),
);

/** While the session is loading it shows neither state; its width is reserved. */
export function AuthControls() {
  const session = useSession();
  if (session.state === 'signed-in') {
    return (
      <Suspense fallback={null}>
        <AccountMenu user={session.user} />
      </Suspense>
    );
  }
  return (
    <div className={`flex items-center gap-1 ${session.state === 'loading' ? 'auth-pending' : ''}`}>
      <LoginLink className="rounded-control px-3 py-2 text-sm text-ink no-underline hover:text-accent" />
      <ButtonLink to={paths.pricing} className="!py-2 text-sm">
        Get Started
      </ButtonLink>
    </div>
  );
}

export function LoginLink({ className }: { className: string }) {
  return (
    <a href={api.login} className={className}>
      Log In
    </a>
  );
}

/** Fallback for when the menu's code could not be fetched. */
function LogoutLink() {
  return (
    <a
      href={api.logout}
      className="rounded-control px-3 py-2 text-sm text-ink no-underline hover:text-accent"
    >
      Log out
    </a>
  );
}
