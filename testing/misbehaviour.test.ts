import { behaviourNames } from '@querywright/sandbox/behaviours';
import { expect, test } from 'vitest';
import { misbehaviours } from './misbehaviour.ts';

test('every behaviour of the sandbox is part of the fault run and of the order model', () => {
  const ofDisputes = ['stripe-dispute-turn', 'paypal-unbooked-dispute'];
  const ofBrowsers = ['paypal-short-client-token'];
  // In the model, staff who refund in the dashboard treat an error as 'not refunded'.
  const ofPeople = ['stripe-unconfirmed-refund'];
  expect([...misbehaviours, ...ofDisputes, ...ofBrowsers, ...ofPeople].sort()).toEqual(
    [...behaviourNames].sort(),
  );
});
