import { CURRENCY, toDecimalString } from '../../../core/money.ts';
import { type PaypalCaptured, paypalCaptured, paypalPaymentCreated } from '../../../core/orders.ts';
import { ApiError, post } from '../../lib/api-client.ts';
import { api, paypalCapturePath } from '../../lib/api-paths.ts';

export async function createPaypalProviderOrder(orderId: string, cents: number): Promise<string> {
  const answer = await post(api.paypalOrder, {
    amount: toDecimalString(cents),
    currency: CURRENCY,
    intent: 'CAPTURE',
    orderId,
  });
  return paypalPaymentCreated.parse(answer).id;
}

export async function capturePaypalOrder(paypalOrderId: string): Promise<PaypalCaptured> {
  return paypalCaptured.parse(await post(paypalCapturePath(paypalOrderId)));
}

/** Whether the money may be taken all the same: only a refusal says that it is not. */
export function isUndecided(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  if (error.code === 'order_paid' || error.code === 'payment_in_progress') return true;
  return error.status === 429 || (error.status >= 500 && error.code !== 'provider_refused');
}

export async function confirmPaypalPayment(orderId: string, paypalOrderId: string): Promise<void> {
  await post(api.confirmPaypalPayment, { orderId, paypalOrderId });
}
