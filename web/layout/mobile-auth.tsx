import { paths } from '../../core/paths.ts';
import { ButtonLink } from '../components/ui/button.tsx';
import { SiteLink } from '../components/ui/link.tsx';
import { api } from '../lib/api-paths.ts';
import { useSession } from '../lib/session.ts';
import { LoginLink } from './auth-controls.tsx';

const outlined =
  'rounded-control border border-edge bg-surface px-5 py-3 text-center font-medium text-ink no-underline';

/** One row of equal height in each session state, so that nothing moves. */
export function MobileAuth() {
  const session = useSession();
  if (session.state === 'signed-in') {
    return (
      <div className="mt-4 mb-3 grid grid-cols-[1fr_auto] items-center gap-4">
        <p className="min-w-0 text-sm text-muted">
          Signed in as
          <SiteLink to={paths.account} className="link block truncate">
            {session.user.email ?? session.user.firstName ?? 'an account without an e-mail'}
          </SiteLink>
        </p>
        <a href={api.logout} className={outlined}>
          Log out
        </a>
      </div>
    );
  }
  return (
    <div className={`mt-4 mb-3 grid grid-cols-2 gap-3 ${session.state === 'loading' ? 'auth-pending' : ''}`}>
      <LoginLink className={outlined} />
      <ButtonLink to={paths.pricing}>Get Started</ButtonLink>
    </div>
  );
}
