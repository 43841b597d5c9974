import { DropdownMenu } from 'radix-ui';
import type { CurrentUser } from '../../core/account.ts';
import { paths } from '../../core/paths.ts';
import { Chevron } from '../components/ui/chevron.tsx';
import { SiteLink } from '../components/ui/link.tsx';
import { Tooltip } from '../components/ui/tooltip.tsx';
import { api } from '../lib/api-paths.ts';
import { Avatar } from './avatar.tsx';

/** Not modal, which would inject styles against the policy; not portalled, to stay inside a landmark. */
export function AccountMenu({ user }: { user: CurrentUser }) {
  return (
    <DropdownMenu.Root modal={false}>
      <Tooltip text={user.email ?? 'Account'}>
        <DropdownMenu.Trigger className="flex items-center gap-2 rounded-control px-2 py-1.5 text-sm text-ink hover:bg-sunken">
          <Avatar user={user} />
          <span className="max-w-[150px] truncate">{user.firstName || user.email || 'Account'}</span>
          <Chevron />
        </DropdownMenu.Trigger>
      </Tooltip>
      <DropdownMenu.Content
        align="end"
        sideOffset={8}
        className="z-50 min-w-56 rounded-card border border-line bg-surface p-1.5 shadow-raised"
      >
        <DropdownMenu.Item disabled className="max-w-72 wrap-anywhere px-3 py-2 text-sm text-muted">
          {user.email ?? 'No e-mail on record'}
        </DropdownMenu.Item>
        <DropdownMenu.Separator className="my-1 h-px bg-line" />
        <DropdownMenu.Item asChild>
          <SiteLink
            to={paths.account}
            className="block rounded-control px-3 py-2 text-sm text-ink no-underline data-highlighted:bg-sunken"
          >
            Your account
          </SiteLink>
        </DropdownMenu.Item>
        <DropdownMenu.Item asChild>
          <a
            href={api.logout}
            className="block rounded-control px-3 py-2 text-sm text-ink no-underline data-highlighted:bg-sunken"
          >
            Log out
          </a>
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
