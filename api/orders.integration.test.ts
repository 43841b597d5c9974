import { expect, test } from 'vitest';
import { placeOrder } from '../testing/buyer.ts';
import { withShop } from '../testing/shop.ts';

const shop = await withShop();

test('an order’s view has what its page needs, is never cached and has no secret', async () => {
  const { orderId } = await placeOrder(shop);
  const answer = await fetch(`${shop.url}/api/orders/${orderId}`);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(Object.keys(await answer.json()).sort()).toEqual(
    [
      'amount',
      'amountRefunded',
      'createdAt',
      'currency',
      'customerEmail',
      'failureReason',
      'id',
      'debitReturned',
      'methodType',
      'moneyTaken',
      'paidAt',
      'paymentMethod',
      'serviceId',
      'status',
    ].sort(),
  );
});
