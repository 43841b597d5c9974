import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { AuthControls } from './auth-controls.tsx';
import { HomeLink } from './home-link.tsx';
import { MainLinks } from './main-links.tsx';
import { MenuToggle, MobileMenu } from './mobile-menu.tsx';

// A constant element: opening the menu does not render it again.
const wideNavigation = (
  <>
    <nav aria-label="Main" className="hidden flex-1 lg:block">
      <ul className="flex items-center gap-1">
        <MainLinks link="rounded-control px-3 py-2 text-sm text-muted no-underline hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink" />
      </ul>
    </nav>
    <div className="ml-auto hidden min-w-[15rem] justify-end lg:flex">
      <AuthControls />
    </div>
  </>
);

/** Sticks to the top of the window; on narrow screens the links fold into a menu. */
export function Header() {
  const { key } = useLocation();
  // Bound to the history entry, so that any navigation closes the menu.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const menuOpen = openAt === key;

  return (
    <header className="no-print sticky top-0 z-40 border-b border-line bg-paper">
      <div className="content flex h-[calc(var(--header-height)-1px)] items-center gap-8">
        <HomeLink />
        {wideNavigation}
        <MenuToggle open={menuOpen} onToggle={() => setOpenAt(menuOpen ? null : key)} />
      </div>
      <MobileMenu open={menuOpen} onClose={() => setOpenAt(null)} />
    </header>
  );
}
