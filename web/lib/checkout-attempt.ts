import { type ServiceSlug, serviceSlugs } from '../../core/catalogue.ts';
import type { PaymentMethod } from '../../core/orders.ts';
import { remember } from './browser-storage.ts';

export interface CheckoutDetails {
  customerName: string;
  customerEmail: string;
  service: ServiceSlug | '';
}

/**
 * One attempt at buying: its details, the idempotency key of its order (the same for both methods), and the
 * method whose payment step is open. Survives a reload and the back button, in this tab only.
 */
export interface Attempt {
  details: CheckoutDetails;
  key: string | null;
  paying: PaymentMethod | null;
  /** The order of the key, once it is known; without a key, the order of the link that led here. */
  orderId: string | null;
  /** Cents: what the server named when it refused the catalogue's price. */
  price: number | null;
}

const noDetails: CheckoutDetails = { customerName: '', customerEmail: '', service: '' };
export const freshAttempt: Attempt = {
  details: noDetails,
  key: null,
  paying: null,
  orderId: null,
  price: null,
};

const STORED = 'querywright.checkout';

export function restoreAttempt(): Attempt | null {
  const stored = remember.read('sessionStorage', STORED);
  if (!stored) return null;
  try {
    const attempt: unknown = JSON.parse(stored);
    return isAttempt(attempt) ? { ...freshAttempt, ...attempt } : null;
  } catch {
    return null;
  }
}

export function keepAttempt(attempt: Attempt): void {
  remember.write('sessionStorage', STORED, JSON.stringify(attempt));
}

export function forgetAttempt(): void {
  remember.forget('sessionStorage', STORED);
}

/** Keeps the details, for another order. */
export function renewAttempt(): void {
  const attempt = restoreAttempt();
  if (attempt) keepAttempt({ ...attempt, key: null, orderId: null, paying: null });
}

/** Unchanged details keep their key and payment step; changed ones are a new order. */
export function withDetails(attempt: Attempt, details: CheckoutDetails): Attempt {
  if (areSame(attempt.details, details)) return { ...attempt, details };
  const price = attempt.details.service === details.service ? attempt.price : null;
  return { ...freshAttempt, details, price };
}

/** Whether an answer to one attempt applies to the other: they are about the same order, or would create the same one. */
export function isSamePurchase(one: Attempt, other: Attempt): boolean {
  if (isAdopted(one) || isAdopted(other)) return one.key === other.key && one.orderId === other.orderId;
  return areSame(one.details, other.details) && one.price === other.price;
}

function areSame(one: CheckoutDetails, other: CheckoutDetails): boolean {
  return (
    one.customerName.trim() === other.customerName.trim() &&
    one.customerEmail.trim() === other.customerEmail.trim() &&
    one.service === other.service
  );
}

/** An attempt at paying an order that another browser placed. */
export function attemptForOrder(
  orderId: string,
  known: { service: ServiceSlug; customerEmail: string; price: number; paying: PaymentMethod },
): Attempt {
  const { service, customerEmail, price, paying } = known;
  return { details: { ...noDetails, service, customerEmail }, key: null, paying, orderId, price };
}

/** Whether the order was placed by another browser, which holds its key. */
export function isAdopted({ key, orderId }: Attempt): boolean {
  return key === null && orderId !== null;
}

export function isComplete(details: CheckoutDetails): details is CheckoutDetails & { service: ServiceSlug } {
  return details.customerName.trim() !== '' && details.customerEmail.trim() !== '' && details.service !== '';
}

function isAttempt(value: unknown): value is Attempt {
  if (typeof value !== 'object' || value === null) return false;
  const { details, key, paying } = value as Partial<Attempt>;
  return (
    typeof details?.customerName === 'string' &&
    typeof details.customerEmail === 'string' &&
    (details.service === '' || serviceSlugs.includes(details.service)) &&
    (key === null || typeof key === 'string') &&
    (paying === null || paying === 'stripe' || paying === 'paypal')
  );
}
