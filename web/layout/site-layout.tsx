import type { ReactNode } from 'react';
import { ToastOutlet } from '../components/ui/toast-outlet.tsx';
import { useSessionAfterReturn } from '../lib/session.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { Progress } from './progress.tsx';
import { Ribbon } from './ribbon.tsx';
import { useNavigationEffects } from './use-navigation-effects.ts';

export function SiteLayout({ children }: { children: ReactNode }) {
  useNavigationEffects();
  useSessionAfterReturn();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="no-print fixed left-4 top-3 z-50 -translate-y-24 rounded-control bg-ink px-4 py-2 text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <Ribbon />
      <Header />
      <main id="main" tabIndex={-1} className="flex-1">
        {children}
      </main>
      <Footer />
      <Progress />
      <OfflineNotice />
      <ToastOutlet />
    </div>
  );
}
