import { NavLink } from 'react-router-dom';
import { deskPages } from '../../../core/desk-paths.ts';
import type { StaffView } from '../../../core/staff.ts';
import { Wordmark } from '../../components/ui/logo.tsx';
import { api } from '../../lib/api-paths.ts';
import { Shortcuts } from './shortcuts.tsx';

const pages = [
  { to: deskPages.today, label: 'Today' },
  { to: deskPages.orders, label: 'Orders' },
  { to: deskPages.people, label: 'People' },
  { to: deskPages.record, label: 'Record' },
];

export function DeskHeader({ me }: { me: StaffView }) {
  return (
    <header className="border-b border-line bg-surface">
      {me.sandbox && (
        <p className="bg-before-wash py-1 text-center text-xs text-before">Test mode: no real payments.</p>
      )}
      <div className="content relative flex flex-wrap items-center gap-x-8 gap-y-2 py-3">
        <NavLink to={deskPages.today} aria-label="Desk, Today" className="text-ink no-underline">
          <Wordmark />
        </NavLink>
        <nav aria-label="Desk" className="order-last flex w-full gap-6 sm:order-none sm:w-auto">
          {pages.map(({ to, label }) => (
            <NavLink key={to} to={to} end={to === deskPages.today} className={linkLook}>
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex min-w-0 items-center gap-4 text-sm">
          <span className="hidden min-w-0 text-right wrap-anywhere text-muted sm:block">
            {me.name}, {me.role}
          </span>
          <Shortcuts />
          <a href={api.logout} className="link shrink-0">
            Log out
          </a>
        </div>
      </div>
    </header>
  );
}

function linkLook({ isActive }: { isActive: boolean }): string {
  return `py-1 no-underline ${isActive ? 'font-medium text-ink' : 'text-muted hover:text-ink'}`;
}
