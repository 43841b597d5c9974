import { connect } from 'node:net';
import { freePort } from '@querywright/sandbox/listen';
import { expect, test } from 'vitest';
import { check } from './check.ts';

test('a host that refuses at several addresses is reported with the reason', async () => {
  const port = await freePort();
  const findings = await check('queue', 'check the network', () => refusedTwice(port));
  expect(findings).toEqual([
    {
      check: 'queue',
      state: 'problem',
      found: `connect ECONNREFUSED 127.0.0.1:${port}`,
      action: 'check the network',
    },
  ]);
});

function refusedTwice(port: number): Promise<never> {
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  return new Promise((_resolve, reject) => {
    connect({ host: 'shop.example', port, lookup: (_host, _options, done) => done(null, addresses) }).on(
      'error',
      reject,
    );
  });
}
