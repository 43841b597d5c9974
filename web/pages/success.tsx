import { useSearchParams } from 'react-router-dom';
import { contactCards } from '../content/contact-cards.ts';
import { OrderLoading } from '../features/order/order-loading.tsx';
import { OrderResult, UnknownOrder } from '../features/order/order-result.tsx';
import { useConfirmation } from '../features/order/use-confirmation.ts';
import { useHydrated } from '../lib/browser.ts';
import { withServerState } from '../lib/server-state.tsx';

export const SuccessPage = withServerState(function SuccessPage() {
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  const orderId = hydrated ? query.get('orderId') : null;
  useConfirmation(orderId, query.get('payment_intent'));
  return (
    <div className="content min-h-dvh py-14 lg:py-20 print:min-h-0">
      <p className="print-only mb-8">
        <strong>Querywright</strong>, {contactCards.map((card) => card.text).join(', ')}
      </p>
      {!hydrated && (
        <>
          {/* The API writes the order's state here. */}
          <noscript suppressHydrationWarning>__ORDER_SUMMARY__</noscript>
          <div className="needs-script">
            <OrderLoading />
          </div>
        </>
      )}
      {hydrated && (orderId ? <OrderResult orderId={orderId} /> : <UnknownOrder />)}
    </div>
  );
});
