import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { PaymentMethod } from '../../../core/orders.ts';
import { successFor } from '../../../core/paths.ts';
import { codeOf, fieldsOf } from '../../lib/api-client.ts';
import {
  type Attempt,
  type CheckoutDetails,
  freshAttempt,
  isAdopted,
  isComplete,
  isSamePurchase,
  keepAttempt,
  restoreAttempt,
  withDetails,
} from '../../lib/checkout-attempt.ts';
import { toast } from '../../lib/toast-store.ts';
import { type FieldErrors, useFieldErrors } from '../../lib/use-field-errors.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import type { PayableOrder } from './create-order.ts';
import {
  afterFailure,
  type CheckoutProblem,
  failureText,
  isOver,
  missingInformation,
  problemOf,
  renewedPayment,
  replacement,
} from './refusal.ts';
import { dropRequestedService } from './service-request.ts';
import { useSignedInDetails } from './use-signed-in-details.ts';
import type { Step } from './use-step-focus.ts';

export interface Checkout {
  form: RefObject<HTMLFormElement | null>;
  details: CheckoutDetails;
  errors: FieldErrors;
  method: PaymentMethod;
  /** The order of the current tab, once it exists: its details form is then hidden. */
  order: PayableOrder | undefined;
  creating: boolean;
  /** The method whose payment is being prepared for details that are settled: after a switch, a reload or a renewal. */
  preparing: PaymentMethod | null;
  change: (details: Partial<CheckoutDetails>) => void;
  clearError: (event: FormEvent<HTMLFormElement>) => void;
  chooseMethod: (method: PaymentMethod) => void;
  /** Whether the order was placed by another browser: it is paid as it is. */
  isAdopted: boolean;
  adopt: (attempt: Attempt) => void;
  report: (problem: CheckoutProblem | undefined) => void;
  continueToPayment: () => void;
  editDetails: () => void;
  /** The step that receives the focus when it appears. */
  focusOn: RefObject<Step | null>;
  /** Starts a new payment for the same order, or for a new order with the same details if it has expired. */
  renew: () => void;
  /** Cents: what the server named when it refused the catalogue's price. */
  price: number | null;
  /** Why there is no order to pay, and what to do about it. */
  problem: CheckoutProblem | undefined;
}

/** With the key that created it; null for an adopted order. */
type Answer = PayableOrder & { key: string | null };

interface Submitted {
  from: Attempt;
  by: PaymentMethod;
  /** Replaces a payment that the buyer was about to confirm. */
  isRenewal?: true;
}

/** Details → order → payment, one idempotency key per set of details. Switching the method keeps the order. */
export function useCheckout(): Checkout {
  const form = useRef<HTMLFormElement>(null);
  const focusOn = useRef<Step | null>(null);
  const [attempt, setAttempt] = useState<Attempt>(freshAttempt);
  const [method, setMethod] = useState<PaymentMethod>('stripe');
  const [problem, setProblem] = useState<CheckoutProblem>();
  const { errors, show, clear } = useFieldErrors(form);

  const { submit, data, isPending } = useSubmission({
    async call({ from, by }: Submitted): Promise<Answer | undefined> {
      if (from.orderId && isAdopted(from)) {
        setAttempt({ ...from, paying: by });
        setProblem(undefined);
        const { payOrder } = await import('./create-order.ts');
        return { ...(await payOrder(by, from.orderId)), key: null };
      }
      const key = from.key ?? crypto.randomUUID();
      setAttempt({ ...from, key });
      const { createOrder, detailErrors, isUnpaid } = await import('./create-order.ts');
      const refused = detailErrors(from.details);
      show(refused);
      if (Object.keys(refused).length > 0) return undefined;
      setProblem(undefined);
      const { details, price } = from;
      try {
        return { ...(await createOrder(by, details, key, price)), key };
      } catch (error) {
        if (!from.key || !isOver(error)) throw error;
        const renewed = crypto.randomUUID();
        setAttempt((current) =>
          current.key === key ? { ...current, key: renewed, orderId: null } : current,
        );
        const order = await createOrder(by, details, renewed, price);
        setProblem(replacement(by, from.orderId !== null && (await isUnpaid(from.orderId))));
        return { ...order, key: renewed };
      }
    },
    onSuccess(order, { from, isRenewal }) {
      if (!order) return setAttempt((current) => ({ ...current, paying: null }));
      // The buyer has changed the details since, so this order is not what the page shows.
      if (!isSamePurchase(attempt, from)) return setProblem(undefined);
      if (isRenewal) setProblem((found) => found ?? renewedPayment);
      const { key, method: paying, orderId } = order;
      setAttempt((current) =>
        isSamePurchase(current, from) ? { ...current, key, paying, orderId } : current,
      );
    },
    onError(error, { from, by, isRenewal }) {
      // The pressed button went with the payment form.
      if (isRenewal && !isAdopted(from)) focusOn.current = 'details';
      if (!isSamePurchase(attempt, from)) return;
      setAttempt((current) => afterFailure(current, error));
      if (codeOf(error) === 'order_paid' && from.orderId) {
        return window.location.assign(successFor(from.orderId));
      }
      show(fieldsOf(error));
      const found = problemOf(from, error);
      setProblem(found);
      if (found) return;
      toast({ title: 'Error', description: failureText(by, error), variant: 'destructive' });
    },
  });

  // The buyer chose the other tab at the payment step, or while a payment was being prepared.
  useEffect(() => {
    if (isPending || !attempt.paying || attempt.paying === method) return;
    submit({ from: attempt, by: method });
  }, [attempt, isPending, method, submit]);

  // After a reload the same key returns the same order.
  useEffect(() => {
    const restored = restoreAttempt();
    if (!restored || isForAnother(restored)) return;
    setAttempt(restored);
    if (!restored.paying) return;
    setMethod(restored.paying);
    submit({ from: restored, by: restored.paying });
  }, [submit]);

  useSignedInDetails((known) =>
    setAttempt((current) => ({
      ...current,
      details: {
        ...current.details,
        customerName: current.details.customerName || known.customerName,
        customerEmail: current.details.customerEmail || known.customerEmail,
      },
    })),
  );

  useEffect(() => {
    if (attempt !== freshAttempt) keepAttempt(attempt);
  }, [attempt]);

  return {
    form,
    details: attempt.details,
    errors,
    method,
    order:
      attempt.paying === method && data?.method === method && data.orderId === attempt.orderId
        ? data
        : undefined,
    creating: isPending,
    preparing: attempt.paying && (isPending || attempt.paying !== method) ? method : null,
    change: useCallback((changed) => {
      setAttempt((current) => withDetails(current, { ...current.details, ...changed }));
    }, []),
    clearError: clear,
    chooseMethod(chosen) {
      focusOn.current = null;
      setMethod(chosen);
    },
    isAdopted: isAdopted(attempt),
    adopt: useCallback(
      (adopted) => {
        const by = adopted.paying ?? 'stripe';
        setAttempt(adopted);
        setMethod(by);
        submit({ from: adopted, by });
      },
      [submit],
    ),
    report: setProblem,
    continueToPayment() {
      focusOn.current = 'payment';
      if (!isAdopted(attempt) && !isComplete(attempt.details)) return toast(missingInformation);
      dropRequestedService();
      submit({ from: attempt, by: method });
    },
    editDetails() {
      focusOn.current = 'details';
      setAttempt((current) => ({ ...current, paying: null }));
    },
    focusOn,
    renew() {
      focusOn.current = 'payment';
      submit({ from: attempt, by: method, isRenewal: true });
    },
    price: attempt.price,
    problem,
  };
}

/** Whether the page was opened to pay another order than the one this tab remembers. */
function isForAnother({ orderId }: Attempt): boolean {
  const requested = new URLSearchParams(window.location.search).get('order');
  return requested !== null && requested !== orderId;
}
