import { describe, expect, test } from 'vitest';
import { readConfig } from '../../infra/config.ts';
import { certificateSource } from './certificates.ts';

const { paypal } = readConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgres://localhost/x' });
const { isPaypals } = certificateSource({ ...paypal, environment: 'live', local: false });
const address = 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270';

test('the address of a certificate of PayPal’s is accepted', () => {
  expect(isPaypals(address)).toBe(true);
});

describe('any other spelling is refused without a connection', () => {
  test.each([
    ['another host', address.replace('api.paypal.com', 'api.paypal.com.evil.example')],
    ['user info', address.replace('https://', 'https://user@')],
    ['user info that looks like the host', address.replace('https://api', 'https://api.paypal.com@evil')],
    ['a fragment', `${address}#1`],
    ['a query', `${address}?1`],
    ['a port', address.replace('paypal.com', 'paypal.com:443')],
    ['upper case', address.replace('api', 'API')],
    ['a percent-encoded letter', address.replace('CERT', '%43ERT')],
    ['a parent folder', address.replace('certs/', 'certs/../certs/')],
    ['a folder below', `${address}/x`],
    ['plain HTTP', address.replace('https', 'http')],
    ['white space', ` ${address}`],
    ['a line break', `${address}\n`],
    ['no name', address.slice(0, address.lastIndexOf('/') + 1)],
    ['a very long name', `${address}${'x'.repeat(100)}`],
  ])('%s', (_what, spelling) => {
    expect(isPaypals(spelling)).toBe(false);
  });
});
