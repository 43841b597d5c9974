import { Toast } from 'radix-ui';
import {
  dismissToast,
  type ShownToast,
  TOAST_DURATION_MS,
  TOAST_SWIPE_THRESHOLD_PX,
} from '../../lib/toast-store.ts';
import { Tooltip } from './tooltip.tsx';

/** F8 moves the focus here; Escape or a swipe closes a notice. */
export function ToastRegion({ toasts }: { toasts: readonly ShownToast[] }) {
  return (
    <Toast.Provider
      duration={TOAST_DURATION_MS}
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
      swipeDirection="right"
      label="Notification"
    >
      {toasts.map((shown) => (
        <ToastCard key={shown.id} shown={shown} />
      ))}
      <Toast.Viewport
        hotkey={['F8']}
        label="Notifications ({hotkey})"
        className="fixed inset-x-4 bottom-4 z-50 m-0 flex list-none flex-col gap-2 rounded-card p-0 focus-visible:outline-2 focus-visible:outline-accent sm:left-auto sm:w-96"
      />
    </Toast.Provider>
  );
}

function ToastCard({ shown }: { shown: ShownToast }) {
  const destructive = shown.variant === 'destructive';
  return (
    <Toast.Root
      open={shown.open}
      type="foreground"
      onOpenChange={(open) => {
        if (!open) dismissToast(shown.id);
      }}
      className={`toast grid grid-cols-[auto_1fr_auto] items-start gap-x-3 rounded-card border bg-surface p-4 shadow-raised ${
        destructive ? 'border-error' : 'border-line'
      }`}
    >
      <span
        aria-hidden="true"
        className={`mt-2 size-2 rounded-full ${destructive ? 'bg-error' : 'bg-after'}`}
      />
      <div>
        <Toast.Title className="text-base font-semibold text-ink">{shown.title}</Toast.Title>
        {shown.description && (
          <Toast.Description className="mt-0.5 text-sm text-muted">{shown.description}</Toast.Description>
        )}
      </div>
      <Tooltip text="Close">
        <Toast.Close
          aria-label="Close notification"
          className="-m-2 grid size-9 place-items-center rounded-md text-muted hover:text-ink"
        >
          <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
            <path d="M4 4l8 8M12 4l-8 8" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
          </svg>
        </Toast.Close>
      </Tooltip>
    </Toast.Root>
  );
}
