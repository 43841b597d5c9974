import { z } from 'zod';
import { CURRENCY, toDecimalString } from '../../../core/money.ts';
import { post } from '../../lib/api-client.ts';
import { api, paypalCapturePath } from '../../lib/api-paths.ts';

const created = z.object({ id: z.string().min(1) });
const captured = z.object({ status: z.string() });

/** PayPal's order for our order. The server charges our order's own amount, whatever stands here. */
export async function createPaypalProviderOrder(orderId: string, cents: number): Promise<string> {
  const answer = await post(api.paypalOrder, {
    amount: toDecimalString(cents),
    currency: CURRENCY,
    intent: 'CAPTURE',
    orderId,
  });
  return created.parse(answer).id;
}

/** Takes the money that the buyer has approved; 'COMPLETED' means that it came. */
export async function capturePaypalOrder(paypalOrderId: string): Promise<string> {
  return captured.parse(await post(paypalCapturePath(paypalOrderId))).status;
}

export async function confirmPaypalPayment(orderId: string, paypalOrderId: string): Promise<void> {
  await post(api.confirmPaypalPayment, { orderId, paypalOrderId });
}
