import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import type { PaymentMethod } from '../../../core/orders.ts';

const tabs: readonly { method: PaymentMethod; label: string }[] = [
  { method: 'stripe', label: 'Card' },
  { method: 'paypal', label: 'PayPal' },
];

/** The tabs pattern of the ARIA guide: arrow keys select, the panel follows. */
export function CheckoutTabs(props: {
  method: PaymentMethod;
  onChoose: (method: PaymentMethod) => void;
  children: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const next = props.method === 'stripe' ? 'paypal' : 'stripe';
    props.onChoose(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label="Payment method"
        className="grid grid-cols-2 rounded-control border border-line bg-sunken p-1"
      >
        {tabs.map(({ method, label }) => (
          <button
            key={method}
            id={`tab-${method}`}
            type="button"
            role="tab"
            aria-selected={props.method === method}
            aria-controls="payment-panel"
            tabIndex={props.method === method ? 0 : -1}
            onClick={() => props.onChoose(method)}
            onKeyDown={move}
            className="rounded-md border border-transparent px-4 py-2 text-sm font-medium text-muted aria-selected:border-line aria-selected:bg-surface aria-selected:text-ink aria-selected:shadow-[0_1px_2px_rgb(16_23_42/0.12)]"
          >
            {label}
          </button>
        ))}
      </div>
      <div id="payment-panel" role="tabpanel" aria-labelledby={`tab-${props.method}`} className="mt-6">
        {props.children}
      </div>
    </div>
  );
}
