import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { paths } from '../../core/paths.ts';
import { SiteLink } from '../components/ui/link.tsx';
import { Wordmark } from '../components/ui/logo.tsx';
import { AuthControls } from './auth-controls.tsx';
import { MenuToggle, MobileMenu } from './mobile-menu.tsx';
import { mainLinks } from './navigation.ts';

/** The header of spec §2: it stays at the top of the window, and folds its links into a menu on narrow screens. */
export function Header() {
  const { key } = useLocation();
  // Open for this arrival only: any move through the site closes the menu.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const menuOpen = openAt === key;

  return (
    <header className="no-print sticky top-0 z-40 border-b border-line bg-paper">
      <div className="content flex h-[calc(var(--header-height)-1px)] items-center gap-8">
        <SiteLink
          to={paths.home}
          className="rounded text-ink no-underline"
          aria-label="Querywright, home page"
        >
          <Wordmark />
        </SiteLink>
        <nav aria-label="Main" className="hidden flex-1 lg:block">
          <ul className="flex items-center gap-1">
            {mainLinks.map((link) => (
              <li key={link.to}>
                <HeaderLink {...link} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto hidden min-w-[15rem] justify-end lg:flex">
          <AuthControls />
        </div>
        <MenuToggle open={menuOpen} onToggle={() => setOpenAt(menuOpen ? null : key)} />
      </div>
      <MobileMenu open={menuOpen} onClose={() => setOpenAt(null)} />
    </header>
  );
}

function HeaderLink({ to, label }: { to: string; label: string }) {
  const { pathname } = useLocation();
  const current = to === paths.home ? pathname === to : pathname === to || pathname.startsWith(`${to}/`);
  return (
    <SiteLink
      to={to}
      aria-current={current ? 'page' : undefined}
      className={`rounded-control px-3 py-2 text-sm no-underline hover:text-ink ${
        current ? 'font-medium text-ink' : 'text-muted'
      }`}
    >
      {label}
    </SiteLink>
  );
}
