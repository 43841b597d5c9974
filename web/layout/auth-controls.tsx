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

/** The header's right end in the three states of spec §4. Its width is reserved, and 'loading' shows neither answer. */
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
    <div className={`flex items-center gap-1 ${session.state === 'loading' ? 'until-known' : ''}`}>
      <LoginLink className="rounded-control px-3 py-2 text-sm text-ink no-underline hover:text-accent" />
      <ButtonLink to={paths.pricing} className="!py-2 text-sm">
        Get Started
      </ButtonLink>
    </div>
  );
}

/** A full-page navigation (spec §2): the sign-in flow is the provider's. */
export function LoginLink({ className }: { className: string }) {
  return (
    <a href={api.login} className={className}>
      Log In
    </a>
  );
}

/** What is left of the menu when its code could not be fetched. */
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
