import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { paths } from '../../core/paths.ts';
import { SiteNavLink } from '../components/ui/link.tsx';
import { MobileAuth } from './mobile-auth.tsx';
import { mainLinks } from './navigation.ts';

const MENU_ID = 'mobile-menu';

export function MenuToggle({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const [Tooltip, setTooltip] = useState<TooltipLike>();
  const label = open ? 'Close menu' : 'Open menu';
  const button = (
    <button
      type="button"
      className="needs-script -mr-2 ml-auto grid size-11 place-items-center rounded-control text-ink lg:hidden"
      aria-expanded={open}
      aria-controls={MENU_ID}
      aria-label={label}
      onClick={onToggle}
    >
      <svg viewBox="0 0 24 24" className="size-6" aria-hidden="true" fill="none" stroke="currentColor">
        <path
          d={open ? 'M6 6l12 12M18 6L6 18' : 'M4 8h16M4 16h16'}
          strokeWidth="1.75"
          strokeLinecap="round"
        />
      </svg>
    </button>
  );

  // Fetched only where the button is visible and a pointer can hover.
  useEffect(() => {
    if (!matchMedia('(width < 64rem) and (hover: hover)').matches) return;
    import('./menu-tooltip.ts').then(
      ({ addTooltip }) => addTooltip(setTooltip),
      () => {},
    );
  }, []);
  return Tooltip ? <Tooltip text={label}>{button}</Tooltip> : button;
}

type TooltipLike = ComponentType<{ text: string; children: ReactNode }>;

// A constant element: opening the menu does not render it again.
const menuLinks = (
  <>
    <ul>
      {mainLinks.map((link) => (
        <li key={link.to} className="border-b border-line last:border-0">
          <SiteNavLink
            to={link.to}
            end={link.to === paths.home}
            className="block py-3 text-lg text-ink no-underline aria-[current=page]:text-accent"
          >
            {link.label}
          </SiteNavLink>
        </li>
      ))}
    </ul>
    <MobileAuth />
  </>
);

export function MobileMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      onClose();
      document.querySelector<HTMLElement>(`[aria-controls="${MENU_ID}"]`)?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open, onClose]);

  return (
    <div
      id={MENU_ID}
      data-open={open || undefined}
      className="mobile-menu absolute inset-x-0 top-full max-h-[calc(100dvh-var(--header-height)-1.75rem)] overflow-y-auto overscroll-contain border-y border-line bg-paper shadow-raised lg:hidden"
    >
      <nav
        aria-label="Menu"
        className="content py-3"
        // The menu would cover what has the focus now.
        onBlur={({ relatedTarget }) => relatedTarget?.closest('main') && onClose()}
      >
        {menuLinks}
      </nav>
    </div>
  );
}
