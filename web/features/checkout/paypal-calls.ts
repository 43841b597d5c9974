import { CURRENCY, toDecimalString } from '../../../core/money.ts';
import { type PaypalCaptured, paypalCaptured, paypalPaymentCreated } from '../../../core/orders.ts';
import { post } from '../../lib/api-client.ts';
import { api, paypalCapturePath } from '../../lib/api-paths.ts';

/** PayPal's order for our order. The server charges the order's own amount and refuses any other. */
export async function createPaypalProviderOrder(orderId: string, cents: number): Promise<string> {
  const answer = await post(api.paypalOrder, {
    amount: toDecimalString(cents),
    currency: CURRENCY,
    intent: 'CAPTURE',
    orderId,
  });
  return paypalPaymentCreated.parse(answer).id;
}

/** Captures the payment that the buyer has approved. */
export async function capturePaypalOrder(paypalOrderId: string): Promise<PaypalCaptured['status']> {
  return paypalCaptured.parse(await post(paypalCapturePath(paypalOrderId))).status;
}

export async function confirmPaypalPayment(orderId: string, paypalOrderId: string): Promise<void> {
  await post(api.confirmPaypalPayment, { orderId, paypalOrderId });
}
