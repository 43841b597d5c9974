import { z } from 'zod';
import type { PaymentReport } from '../gateway.ts';
import {
  captureOfRefund,
  factsOfCapture,
  factsOfRefund,
  metadataOf,
  paypalCapture,
  paypalEvent,
  paypalRefund,
} from './facts.ts';
import type { PaypalGateway } from './gateway.ts';

const named = z.object({ id: z.string() });
const namedDispute = z.object({ dispute_id: z.string() });

/**
 * What a PayPal event says, or undefined for a type we do not act on (design §6). A completed capture is believed as it
 * stands; of everything else the event only tells us what to ask about. An approved order is reported as such, and
 * whoever applies the report captures it (reliability.md F34).
 */
export async function readPaypalEvent(
  paypal: PaypalGateway,
  payload: unknown,
  databaseTime: () => Promise<number>,
): Promise<PaymentReport | undefined> {
  const { event_type: type, resource } = paypalEvent.parse(payload);
  if (type.startsWith('CUSTOMER.DISPUTE.')) {
    return paypal.reportDispute(namedDispute.parse(resource).dispute_id, await databaseTime());
  }
  switch (type) {
    case 'CHECKOUT.ORDER.APPROVED':
      return paypal.report(named.parse(resource).id, await databaseTime());
    case 'PAYMENT.CAPTURE.COMPLETED': {
      const capture = paypalCapture.parse(resource);
      const paymentIntentId = capture.supplementary_data?.related_ids?.order_id;
      if (!paymentIntentId) return reportOfCapture(paypal, capture.id, databaseTime);
      return { paymentIntentId, metadata: metadataOf(capture), facts: factsOfCapture(capture, 0) };
    }
    case 'PAYMENT.CAPTURE.PENDING':
    case 'PAYMENT.CAPTURE.DENIED':
      return reportOfCapture(paypal, named.parse(resource).id, databaseTime);
    case 'PAYMENT.CAPTURE.REFUNDED':
    case 'PAYMENT.CAPTURE.REVERSED': {
      const refund = paypalRefund.parse(resource);
      // Some reversals carry the capture itself.
      const report = await reportOfCapture(paypal, captureOfRefund(refund) ?? refund.id, databaseTime);
      return report && { ...report, facts: [...report.facts, ...factsOfRefund(refund)] };
    }
    default:
      return undefined;
  }
}

async function reportOfCapture(
  paypal: PaypalGateway,
  captureId: string,
  databaseTime: () => Promise<number>,
): Promise<PaymentReport | undefined> {
  const orderId = await paypal.orderOfCapture(captureId);
  return orderId === undefined ? undefined : paypal.report(orderId, await databaseTime());
}
