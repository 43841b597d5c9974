import { emailKinds } from '../../core/emails.ts';
import { successFor } from '../../core/paths.ts';
import { methodOf } from '../../core/payment-method.ts';
import { hasLaterEmail } from '../../db/emails.ts';
import { findOrderDetails, type OrderDetails } from '../../db/order-details.ts';
import type { OrderProps } from '../props/order.ts';
import { toBuyer } from './buyer.ts';
import type { Composer, Draft, OrderComposer, OrderKind } from './composer.ts';
import { toStaff } from './staff.ts';

/** Delayed e-mails about the payment's state: only the latest one is sent. */
const ofLatestAttempt = new Set<OrderKind>(['payment_processing', 'payment_failed']);

const composers: { [K in OrderKind]: OrderComposer<K> } = { ...toBuyer, ...toStaff };

export function composeOrder<K extends OrderKind>(kind: K): Composer<K> {
  return async ({ db, config }, email) => {
    const order = email.orderId ? await findOrderDetails(db, email.orderId) : undefined;
    if (!order) throw new Error(`E-mail ${email.id}: order ${email.orderId} not found`);
    const added = composers[kind](order, email, config);
    if (!added || (ofLatestAttempt.has(kind) && (await hasLaterEmail(db, email)))) return undefined;
    const props = { ...orderProps(order, config.publicUrl), ...added };
    const { customerEmail: address } = order;
    const replyTo = emailKinds[kind].to === 'staff' ? { replyTo: address } : {};
    return { props: props as unknown as Draft<K>['props'], address, ...replyTo };
  };
}

function orderProps(order: OrderDetails, siteUrl: string): OrderProps {
  const { id: orderId, serviceName, customerName, customerEmail, amount, currency } = order;
  return {
    orderId,
    serviceName,
    customerName,
    customerEmail,
    amount,
    currency,
    ...methodOf(order, order.facts),
    orderUrl: `${siteUrl}${successFor(orderId)}`,
  };
}
