import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { MainLinks } from './main-links.tsx';
import { MobileAuth } from './mobile-auth.tsx';

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
      <MainLinks
        item="border-b border-line last:border-0"
        link="block py-3 text-lg text-ink no-underline aria-[current=page]:text-accent"
      />
    </ul>
    <MobileAuth />
  </>
);

export function MobileMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  useEffect(() => {
    if (!open) return;
    const closed = new AbortController();
    const { signal } = closed;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      onClose();
      document.querySelector<HTMLElement>(`[aria-controls="${MENU_ID}"]`)?.focus();
    };
    // The menu covers what is pressed or has the focus now.
    const onLeave = ({ target }: Event) => {
      if (target instanceof Element && !target.closest('header')) onClose();
    };
    document.addEventListener('keydown', onKey, { signal });
    document.addEventListener('pointerdown', onLeave, { signal });
    document.addEventListener('focusin', onLeave, { signal });
    return () => closed.abort();
  }, [open, onClose]);

  return (
    <div
      id={MENU_ID}
      data-open={open || undefined}
      className="mobile-menu absolute inset-x-0 top-full max-h-[calc(100dvh-var(--header-height)-1.75rem)] overflow-y-auto overscroll-contain border-y border-line bg-paper shadow-raised lg:hidden"
    >
      <nav aria-label="Menu" className="content py-3">
        {menuLinks}
      </nav>
    </div>
  );
}
