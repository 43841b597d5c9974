import { formatMoney } from '../core/money.ts';
import { orderRequest } from '../core/orders.ts';
import { OUR_APP, tookMoney } from '../core/payment-reports.ts';
import { firstCheckDelayMs } from '../core/reconciliation.ts';
import { isUuid } from '../core/text.ts';
import { databaseTime, type Transaction } from '../db/database.ts';
import { findOrder, type LostOrder, recreateOrder } from '../db/orders.ts';
import { listServices } from '../db/services.ts';
import type { LiveReport, PaymentOrigin } from '../providers/gateway.ts';
import { isNotFound } from '../providers/provider-error.ts';
import type { Repair } from './compare-with-provider.ts';
import { repairOrder } from './operator.ts';
import type { OrderParts } from './parts.ts';
import { providerOf } from './provider-of.ts';

type RecreateParts = Pick<OrderParts, 'db' | 'gateways' | 'config'>;

/** Why no order can be made from a payment, in words for operators. */
export class NotRecreatable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotRecreatable';
  }
}

/** Overrides for values that the provider lacks or has wrong. */
export interface Corrections {
  service?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
}

interface Recreatable {
  order: LostOrder;
  /** A one-line description for operators. */
  summary: string;
  repair: Repair;
}

/**
 * Reads from the provider the order that a payment of ours was made for and whose row is gone, as after a restore. Changes
 * nothing.
 * @throws NotRecreatable, ProviderError
 */
export async function readLostOrder(
  parts: RecreateParts,
  paymentId: string,
  corrections: Corrections,
): Promise<Recreatable> {
  const provider = providerOf(paymentId);
  const gateway = parts.gateways[provider];
  if (!gateway.originOf) throw new NotRecreatable(`${provider} does not keep what payments were made for`);
  const report = await ask(
    paymentId,
    gateway.report(paymentId, await databaseTime(parts.db), { withDisputes: true }),
  );
  const id = await requireLostOrder(parts, report);
  const origin = await ask(paymentId, gateway.originOf(paymentId));
  const service = await findService(parts, origin, corrections);
  const buyer = readBuyer(origin, corrections);
  return {
    order: {
      id,
      userId: null,
      serviceId: service.id,
      ...buyer,
      paymentMethod: provider,
      paymentIntentId: paymentId,
      amount: origin.amount,
      currency: origin.currency,
      createdAt: origin.createdAt,
      firstCheckInMs: firstCheckDelayMs,
    },
    summary:
      `order ${id}: ${service.name}, ${formatMoney(origin.amount, origin.currency)}, ` +
      `${buyer.customerName} <${buyer.customerEmail}>, ${origin.createdAt.toISOString()}`,
    repair: { provider, report },
  };
}

/** Creates the order again and puts the provider's report into the inbox. Returns the ids of the rows to apply. */
export async function recreate(
  trx: Transaction,
  { order, repair }: Recreatable,
  reason: string,
): Promise<string[]> {
  const created = await recreateOrder(trx, order, `recreated: ${reason}`);
  if (!created) throw new NotRecreatable(`Order ${order.id} exists by now`);
  return repairOrder(trx, created, [repair]);
}

async function requireLostOrder({ db, config }: RecreateParts, report: LiveReport): Promise<string> {
  const { paymentId, metadata, stage } = report;
  if (metadata.app !== OUR_APP) throw new NotRecreatable(`${paymentId} is not a payment of ours`);
  if (metadata.deployment !== config.deployment)
    throw new NotRecreatable(`${paymentId} belongs to the deployment ${metadata.deployment}`);
  const { orderId } = metadata;
  if (!orderId || !isUuid(orderId)) throw new NotRecreatable(`${paymentId} names no order`);
  if (await findOrder(db, orderId))
    throw new NotRecreatable(`Order ${orderId} exists; use: ops order reconcile ${orderId}`);
  if (stage !== 'approved' && !tookMoney(report)) throw new NotRecreatable(`${paymentId} took no money`);
  return orderId;
}

async function findService({ db }: RecreateParts, { receipt }: PaymentOrigin, { service }: Corrections) {
  const services = await listServices(db);
  const found = services.find(({ slug, name }) => (service ? slug === service : name === receipt));
  if (found) return found;
  const known = services.map(({ slug }) => slug).join(', ');
  throw new NotRecreatable(`The payment was for “${receipt ?? ''}”. Pass --service with one of: ${known}`);
}

function readBuyer({ payerName, payerEmail }: PaymentOrigin, { name, email }: Corrections) {
  const buyer = orderRequest
    .pick({ customerName: true, customerEmail: true })
    .safeParse({ customerName: name ?? payerName ?? '', customerEmail: email ?? payerEmail ?? '' });
  if (buyer.success) return buyer.data;
  const reasons = buyer.error.issues.map(({ message }) => message).join('; ');
  throw new NotRecreatable(`The provider does not know the buyer. Pass --name and --email (${reasons})`);
}

async function ask<T>(paymentId: string, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw isNotFound(error) ? new NotRecreatable(`The provider knows no payment ${paymentId}`) : error;
  });
}
