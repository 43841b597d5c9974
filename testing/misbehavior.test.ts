import { behaviorNames } from '@querywright/sandbox/behaviors';
import { expect, test } from 'vitest';
import { misbehaviors } from './misbehavior.ts';

test('every behavior of the sandbox is part of the fault run and of the order model', () => {
  const ofDisputes = ['stripe-dispute-turn', 'paypal-unbooked-dispute'];
  const ofBrowsers = ['paypal-short-client-token'];
  // In the model, staff who refund in the dashboard treat an error as 'not refunded'.
  const ofPeople = ['stripe-unconfirmed-refund'];
  expect([...misbehaviors, ...ofDisputes, ...ofBrowsers, ...ofPeople].sort()).toEqual(
    [...behaviorNames].sort(),
  );
});
