import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { messages } from '../../../core/messages.ts';
import type { PaymentMethod } from '../../../core/orders.ts';
import { ApiError, codeOf, fieldsOf, messageOf } from '../../lib/api-client.ts';
import {
  type Attempt,
  type CheckoutDetails,
  freshAttempt,
  isComplete,
  keepAttempt,
  restoreAttempt,
  withDetails,
} from '../../lib/checkout-attempt.ts';
import { toast } from '../../lib/toast-store.ts';
import { type FieldErrors, useFieldErrors } from '../../lib/use-field-errors.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import type { PayableOrder } from './create-order.ts';

export interface Checkout {
  form: RefObject<HTMLFormElement | null>;
  details: CheckoutDetails;
  errors: FieldErrors;
  method: PaymentMethod;
  /** The order of the current tab, once it exists: its details form is then hidden. */
  order: PayableOrder | undefined;
  creating: boolean;
  change: (details: Partial<CheckoutDetails>) => void;
  clearError: (event: FormEvent<HTMLFormElement>) => void;
  chooseMethod: (method: PaymentMethod) => void;
  continueToPayment: () => void;
  editDetails: () => void;
  /** Keeps the details; the next order is a new one. */
  startOver: () => void;
}

/**
 * Details → order → payment, with one idempotency key per set of details. Switching the payment method asks for the
 * same order again; the server cancels the earlier payment.
 */
export function useCheckout(): Checkout {
  const form = useRef<HTMLFormElement>(null);
  const [attempt, setAttempt] = useState<Attempt>(freshAttempt);
  const [method, setMethod] = useState<PaymentMethod>('stripe');
  const { errors, show, clear } = useFieldErrors(form);

  const { mutate, data, isPending } = useSubmission({
    async mutationFn({ from, by }: { from: Attempt; by: PaymentMethod }) {
      const key = from.key ?? crypto.randomUUID();
      setAttempt({ ...from, key });
      const { createOrder, detailErrors } = await import('./create-order.ts');
      const refused = detailErrors(from.details);
      show(refused);
      return Object.keys(refused).length > 0 ? undefined : createOrder(by, from.details, key);
    },
    onSuccess: (order) => order && setAttempt((current) => ({ ...current, paying: order.method })),
    onError(error, { by }) {
      show(fieldsOf(error));
      setAttempt((current) => afterFailure(current, error));
      toast({ title: 'Error', description: failureText(by, error), variant: 'destructive' });
    },
  });

  // After a reload the same key returns the same order.
  useEffect(() => {
    const restored = restoreAttempt();
    if (!restored) return;
    setAttempt(restored);
    if (!restored.paying) return;
    setMethod(restored.paying);
    mutate({ from: restored, by: restored.paying });
  }, [mutate]);

  useEffect(() => {
    if (attempt !== freshAttempt) keepAttempt(attempt);
  }, [attempt]);

  return {
    form,
    details: attempt.details,
    errors,
    method,
    order: attempt.paying === method && data?.method === method ? data : undefined,
    creating: isPending,
    change: useCallback((changed) => {
      setAttempt((current) => withDetails(current, { ...current.details, ...changed }));
    }, []),
    clearError: clear,
    chooseMethod: setMethod,
    continueToPayment() {
      if (isComplete(attempt.details)) mutate({ from: attempt, by: method });
      else toast(missingInformation);
    },
    editDetails: () => setAttempt((current) => ({ ...current, paying: null })),
    startOver: () => setAttempt((current) => ({ ...current, key: null, paying: null })),
  };
}

const missingInformation = {
  title: 'Missing Information',
  description: 'Please fill in all fields',
  variant: 'destructive',
} as const;

/** A refusal that the same request would meet again ends its key: the next try is a new request. */
function afterFailure(attempt: Attempt, error: unknown): Attempt {
  const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
  return { ...attempt, paying: null, key: isFinal ? null : attempt.key };
}

/** PayPal's failures read alike, unless the buyer can act on the reason. */
function failureText(method: PaymentMethod, error: unknown): string {
  if (method === 'stripe') return messageOf(error, messages.paymentIntentFailed);
  const isActionable =
    error instanceof ApiError && (error.status === 409 || codeOf(error) === 'rate_limited');
  return isActionable ? messageOf(error, messages.paypalOrderFailed) : messages.paypalOrderFailed;
}
