import { compare } from '../core/differences.ts';
import type { PaymentMethod } from '../core/orders.ts';
import type { PaymentFact } from '../core/payment-facts.ts';
import { factsFor, type PaymentReport } from '../core/payment-reports.ts';
import { databaseTime } from '../db/database.ts';
import { type Order, paymentIdsOf } from '../db/orders.ts';
import { isToCapture } from './capture-payment.ts';
import type { OrderParts } from './parts.ts';
import { providerOf } from './provider-of.ts';

/** A report that resolves the difference once a worker has applied it. */
export interface Repair {
  provider: PaymentMethod;
  report: PaymentReport;
}

interface Comparison {
  paymentId: string | undefined;
  /** Undefined if both sides agree. If there are no repairs, a person has to decide. */
  difference: { what: string; repairs: Repair[] } | undefined;
}

/**
 * Asks the order's providers; changes nothing. `listed`: a payment that the provider's list shows for the order.
 * @throws ProviderError: then nothing is known
 */
export async function compareWithProvider(
  parts: Pick<OrderParts, 'db' | 'gateways'>,
  order: Order,
  listed?: string,
): Promise<Comparison> {
  const now = await databaseTime(parts.db);
  const gateway = parts.gateways[order.paymentMethod];
  const paymentId = order.paymentIntentId ?? (await gateway.findPaymentOf(order));
  const current = paymentId ? await gateway.report(paymentId, now, { withDisputes: true }) : undefined;
  const repairs: Repair[] = current ? [{ provider: order.paymentMethod, report: current }] : [];
  if (current && isToCapture(order, current)) {
    return { paymentId, difference: { what: 'approved by the buyer, not captured yet', repairs } };
  }
  const others = new Set([...paymentIdsOf(order), ...(listed ? [listed] : [])]);
  if (paymentId) others.delete(paymentId);
  const former = await Promise.all(
    [...others].map(async (id) => {
      const provider = providerOf(id);
      return { provider, report: await parts.gateways[provider].report(id, now, { withDisputes: true }) };
    }),
  );
  const facts: PaymentFact[] = [
    ...(current ? factsFor(order, current, 'current') : []),
    ...former.flatMap(({ report }) => factsFor(order, report, 'former')),
  ];
  const found = compare(order, facts);
  return {
    paymentId,
    difference: found && { what: found.what, repairs: found.safe ? [...repairs, ...former] : [] },
  };
}
