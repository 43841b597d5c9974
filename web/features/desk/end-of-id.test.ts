import { expect, test } from 'vitest';
import { endOfId } from './end-of-id.ts';

test('orders of the same minute have different names', () => {
  expect(endOfId('01a22bdb-6239-7053-8b15-24d3a7faf843')).toBe('…a7faf843');
  expect(endOfId('01a22bdb-7899-7f95-874b-8314d639a1be')).toBe('…d639a1be');
});
