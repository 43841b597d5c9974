import { expect, test } from 'vitest';
import { checkoutFor, newsletterConfirmFor, paths, pricingFor, successFor } from './paths.ts';

test('builders escape what they are given', () => {
  expect(successFor('a&b=c')).toBe('/success?orderId=a%26b%3Dc');
  expect(newsletterConfirmFor('a.b-c_d')).toBe('/newsletter/confirm?token=a.b-c_d');
});

test('the checkout opens with the service chosen where it is known', () => {
  expect(checkoutFor('audit')).toBe(`${pricingFor('audit')}#payment`);
  expect(checkoutFor(undefined)).toBe(paths.payment);
});
