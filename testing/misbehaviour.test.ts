import { behaviourNames } from '@querywright/sandbox/behaviours';
import { expect, test } from 'vitest';
import { misbehaviours } from './misbehaviour.ts';

test('every behaviour of the sandbox is part of the fault run and of the order model', () => {
  const ofDisputes = ['stripe-dispute-turn', 'paypal-unbooked-dispute'];
  const ofBrowsers = ['paypal-short-client-token'];
  expect([...misbehaviours, ...ofDisputes, ...ofBrowsers].sort()).toEqual([...behaviourNames].sort());
});
