import express from 'express';
import { expect, test } from 'vitest';
import { trustProxies } from './trusted-proxy.ts';

function trusted(trustProxy: string | number | boolean): (address: string, hop: number) => boolean {
  const app = express();
  trustProxies(app, { trustProxy });
  return app.get('trust proxy fn');
}

test('a listed network is trusted at every hop, no other address is, and asking again changes nothing', () => {
  const isTrusted = trusted('loopback, 10.0.0.0/8');
  for (let time = 0; time < 2; time++) {
    expect(
      ['127.0.0.1', '::1', '10.1.2.3', '11.1.2.3', '203.0.113.9'].map((one) => isTrusted(one, time)),
    ).toEqual([true, true, true, false, false]);
  }
});

test('a number of proxies is counted, whatever their addresses', () => {
  const isTrusted = trusted(1);
  expect([isTrusted('203.0.113.9', 0), isTrusted('203.0.113.9', 1)]).toEqual([true, false]);
});
