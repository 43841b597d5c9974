import { expect, test } from 'vitest';
import type { Finding } from '../orders/find-differences.ts';
import { adviceFor } from './restore-advice.ts';

const difference = { orderId: 'o-1', paymentId: 'pi_1', what: 'paid there', repairs: [] };
const report = { paymentId: 'pi_1', metadata: {}, facts: [] };
const repairs: Finding['repairs'] = [{ provider: 'stripe', report }];

test.each<[Finding, string]>([
  [{ ...difference, kind: 'order missing' }, 'ops order create-from-provider pi_1'],
  [{ ...difference, kind: 'unknown payment' }, 'refund pi_1'],
  [{ ...difference, kind: 'unknown payment', orderId: null }, 'refund pi_1'],
  [{ ...difference, kind: 'not asked' }, 'repeat this command'],
  [{ ...difference, kind: 'different', repairs }, 'ops order reconcile o-1'],
  [{ ...difference, kind: 'different' }, 'ops order show o-1'],
])('every difference has advice: %o', (found, action) => {
  expect(adviceFor(found)).toMatchObject({
    check: found.orderId ?? 'pi_1',
    action: expect.stringContaining(action),
  });
});
