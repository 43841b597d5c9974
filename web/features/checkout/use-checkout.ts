import { useCallback, useEffect, useRef, useState } from 'react';
import { messages } from '../../../core/messages.ts';
import type { PaymentMethod } from '../../../core/orders.ts';
import { ApiError, fieldsOf, messageOf } from '../../lib/api-client.ts';
import {
  type Attempt,
  type CheckoutDetails,
  freshAttempt,
  isComplete,
  keepAttempt,
  restoreAttempt,
  withDetails,
} from '../../lib/checkout-attempt.ts';
import { type Notice, toast } from '../../lib/toast-store.ts';
import type { PayableOrder } from './create-order.ts';

export type DetailErrors = Partial<Record<keyof CheckoutDetails, string>>;

export interface Checkout {
  details: CheckoutDetails;
  errors: DetailErrors;
  method: PaymentMethod;
  /** The order of the shown tab, once there is one: its details form is then hidden. */
  order: PayableOrder | undefined;
  creating: boolean;
  change: (details: Partial<CheckoutDetails>) => void;
  chooseMethod: (method: PaymentMethod) => void;
  continueToPayment: () => void;
  editDetails: () => void;
  /** The order is over: the details stay, the next one is a new order. */
  startAnew: () => void;
}

/**
 * The checkout of spec §4: details → order → payment, with one idempotency key per set of details. The same order is asked
 * for again when the buyer turns to the other method: the server ends the payment begun before.
 */
export function useCheckout(): Checkout {
  const [attempt, setAttempt] = useState<Attempt>(freshAttempt);
  const [order, setOrder] = useState<PayableOrder>();
  const [errors, setErrors] = useState<DetailErrors>({});
  const [method, setMethod] = useState<PaymentMethod>('stripe');
  const [creating, setCreating] = useState(false);
  const busy = useRef(false);

  const placeOrder = useCallback(async (from: Attempt, by: PaymentMethod) => {
    if (busy.current) return;
    busy.current = true;
    setCreating(true);
    const key = from.key ?? crypto.randomUUID();
    setAttempt({ ...from, key });
    try {
      const { createOrder, detailErrors } = await import('./create-order.ts');
      const refused = detailErrors(from.details);
      setErrors(refused);
      if (Object.keys(refused).length > 0) return;
      setOrder(await createOrder(by, from.details, key));
      setAttempt((current) => ({ ...current, paying: by }));
    } catch (error) {
      setErrors(fieldsOf(error));
      setAttempt((current) => afterFailure(current, error));
      toast(failureNotice(by, error));
    } finally {
      busy.current = false;
      setCreating(false);
    }
  }, []);

  // A reload in the middle: the same key brings the same order back.
  useEffect(() => {
    const restored = restoreAttempt();
    if (!restored) return;
    setAttempt(restored);
    if (!restored.paying) return;
    setMethod(restored.paying);
    void placeOrder(restored, restored.paying);
  }, [placeOrder]);

  useEffect(() => {
    if (attempt !== freshAttempt) keepAttempt(attempt);
  }, [attempt]);

  return {
    details: attempt.details,
    errors,
    method,
    order: attempt.paying === method && order?.method === method ? order : undefined,
    creating,
    change: useCallback((changed) => {
      setErrors((shown) => without(shown, changed));
      setAttempt((current) => withDetails(current, { ...current.details, ...changed }));
    }, []),
    chooseMethod: setMethod,
    continueToPayment: () => {
      if (isComplete(attempt.details)) void placeOrder(attempt, method);
      else
        toast({
          title: 'Missing Information',
          description: 'Please fill in all fields',
          variant: 'destructive',
        });
    },
    editDetails: () => setAttempt((current) => ({ ...current, paying: null })),
    startAnew: () => setAttempt((current) => ({ ...current, key: null, paying: null })),
  };
}

function without(errors: DetailErrors, changed: Partial<CheckoutDetails>): DetailErrors {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => !(field in changed)));
}

/** A refusal that the same request would meet again ends its key: the next try is a new request. */
function afterFailure(attempt: Attempt, error: unknown): Attempt {
  const final = error instanceof ApiError && error.status < 500 && error.status !== 429;
  return { ...attempt, paying: null, key: final ? null : attempt.key };
}

function failureNotice(method: PaymentMethod, error: unknown): Notice {
  const variant = 'destructive';
  if (error instanceof Error && error.message === 'No service selected') {
    return { title: 'Error', description: error.message, variant };
  }
  const explained = error instanceof ApiError && error.status === 409;
  if (method === 'paypal' && !explained)
    return { title: 'Error', description: messages.paypalOrderFailed, variant };
  return { title: 'Error', description: messageOf(error, messages.paymentIntentFailed), variant };
}
