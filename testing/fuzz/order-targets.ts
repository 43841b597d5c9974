import { toDecimalString } from '../../core/money.ts';
import {
  confirmPaymentRequest,
  confirmPaypalPaymentRequest,
  orderRequest,
  paypalOrderRequest,
} from '../../core/orders.ts';
import { services } from '../../core/services.ts';
import type { Body } from './contracts.ts';
import type { Target } from './target.ts';
import { approve, canary, pick, remember, type World } from './world.ts';

const unknownOrder = { orderId: crypto.randomUUID(), amount: 299_900, paymentId: 'pi_unknown' };

/** Every fourth buyer has the canary's name. */
function buyer(body: Body, salt: number): Body {
  const service = services[salt % services.length] ?? services[0];
  const customerEmail = `kanarienvogel+${salt}@${canary.mailDomain}`;
  const person = salt % 4 === 0 ? { customerName: canary.name, customerEmail } : {};
  return { ...body, ...person, serviceId: service.slug, amount: service.price };
}

/** Reuses keys often. */
function key(salt: number): Record<string, string> {
  return salt % 3 === 0 ? {} : { 'idempotency-key': `fuzz-key-${salt % 5_000}` };
}

const cardOrder = (world: World, salt: number) => pick(world.cardOrders, salt) ?? unknownOrder;
const paypalOrder = (world: World, salt: number) =>
  pick(
    world.paypalOrders.filter(({ paymentId }) => paymentId),
    salt,
  ) ?? { ...unknownOrder, paymentId: 'UNKNOWN' };

export const orderTargets: Target[] = [
  {
    name: 'card orders',
    contract: orderRequest,
    accepts: [200, 422, 409],
    draft: (_world, salt, body) => ({
      method: 'POST',
      path: '/api/create-payment-intent',
      headers: key(salt),
      body: buyer(body, salt),
    }),
    remember({ cardOrders }, { orderId, clientSecret }, { amount }) {
      const paymentId = String(clientSecret).split('_secret_')[0];
      remember(cardOrders, { orderId: String(orderId), amount: Number(amount), paymentId });
    },
  },
  {
    name: 'PayPal orders',
    contract: orderRequest,
    accepts: [200, 422, 409],
    draft: (_world, salt, body) => ({
      method: 'POST',
      path: '/api/create-paypal-order',
      headers: key(salt),
      body: buyer(body, salt),
    }),
    remember({ paypalOrders }, { orderId }, { amount }) {
      remember(paypalOrders, { orderId: String(orderId), amount: Number(amount) });
    },
  },
  {
    name: 'card confirmations',
    contract: confirmPaymentRequest,
    accepts: [200, 404, 409],
    draft(world, salt) {
      const { orderId, paymentId } = cardOrder(world, salt);
      const body = { orderId, paymentIntentId: paymentId };
      return { method: 'POST', path: '/api/confirm-payment', headers: {}, body };
    },
  },
  {
    name: 'PayPal payments',
    contract: paypalOrderRequest,
    accepts: [200, 404, 409],
    draft(world, salt, body) {
      const { orderId, amount } = pick(world.paypalOrders, salt) ?? unknownOrder;
      const wish = { ...body, orderId, amount: toDecimalString(amount) };
      return { method: 'POST', path: '/api/paypal/order', headers: {}, body: wish };
    },
    remember({ paypalOrders }, { id }, { orderId }) {
      const order = paypalOrders.find((known) => known.orderId === orderId);
      if (order) order.paymentId = String(id);
    },
  },
  {
    name: 'PayPal captures',
    accepts: [200, 404, 409],
    async draft(world, salt) {
      const { paymentId = '' } = paypalOrder(world, salt);
      if (salt % 4 === 0) await approve(world, paymentId);
      return { method: 'POST', path: `/api/paypal/order/${paymentId}/capture`, headers: {}, body: {} };
    },
  },
  {
    name: 'PayPal confirmations',
    contract: confirmPaypalPaymentRequest,
    accepts: [200, 404, 409],
    draft(world, salt) {
      const { orderId, paymentId } = paypalOrder(world, salt);
      const body = { orderId, paypalOrderId: paymentId };
      return { method: 'POST', path: '/api/confirm-paypal-payment', headers: {}, body };
    },
  },
  {
    name: 'order pages',
    accepts: [200, 404],
    draft(world, salt) {
      const { orderId } = salt % 2 === 0 ? cardOrder(world, salt) : paypalOrder(world, salt);
      return { method: 'GET', path: `/api/orders/${orderId}${salt % 3 === 0 ? '/events' : ''}`, headers: {} };
    },
  },
];
