import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { listen } from '@querywright/sandbox/listen';
import { SigningKeys } from '@querywright/sandbox/paypal/signing-keys';
import { afterEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../infra/config.ts';
import { CertificateUndecided, certificateSource } from './certificates.ts';

const { paypal } = readConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgres://localhost/x' });
const { isPaypals } = certificateSource({ ...paypal, environment: 'live', local: false });
const address = 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270';

test('the address of a PayPal certificate is accepted', () => {
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

describe('what the certificate server answers', () => {
  // Made before anyone waits for them.
  const { rootPem, chainPem } = new SigningKeys(() => {});
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  test.each([301, 403, 429, 500])('a %i is undecided', async (status) => {
    const { source, at } = await serve(() => status);
    await expect(source.keyAt(at('C1'))).rejects.toBeInstanceOf(CertificateUndecided);
  });

  test.each([
    ['an error page', '<html>Please try again later.</html>'],
    ['an empty answer', ''],
    ['a certificate that breaks off', '-----BEGIN CERTIFICATE-----\nMIIE'],
    ['too long an answer', 'x'.repeat(100_000)],
  ])('%s instead of a certificate is undecided', async (_what, body) => {
    const { source, at } = await serve(() => 200, body);
    await expect(source.keyAt(at('C1'))).rejects.toBeInstanceOf(CertificateUndecided);
  });

  test('an address without a certificate is requested once', async () => {
    const { source, at, asked } = await serve(() => 404);
    expect(await Promise.all([source.keyAt(at('C1')), source.keyAt(at('C1'))])).toEqual([
      undefined,
      undefined,
    ]);
    expect(await source.keyAt(at('C1'))).toBeUndefined();
    expect(asked()).toEqual(['C1']);
  });

  test('made-up addresses do not displace a genuine certificate', async () => {
    const { source, at, asked } = await serve((name) => (name === 'GENUINE' ? 200 : 404));
    expect(await source.keyAt(at('GENUINE'))).toBeDefined();
    for (let n = 0; n < 30; n++) await source.keyAt(at(`C${n}`));
    expect(await source.keyAt(at('GENUINE'))).toBeDefined();
    expect(asked().filter((name) => name === 'GENUINE')).toHaveLength(1);
  });

  test('more than four certificates at once are refused as busy', async () => {
    const { source, at } = await serve(() => 404);
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, (_, n) => source.keyAt(at(`C${n}`))));
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
    expect((outcomes[4] as PromiseRejectedResult).reason).toMatchObject({ isBusy: true });
  });

  /** A certificate server; `answer` gives its status by the certificate's name. */
  async function serve(answer: (name: string) => number, body: string = chainPem) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const name = path.posix.basename(request.url ?? '');
      if (name === 'root.pem') return void response.end(rootPem);
      asked.push(name);
      response.writeHead(answer(name)).end(answer(name) === 200 ? body : '');
    });
    servers.push(server);
    const port = await listen(server, 0, 'localhost');
    const apiUrl = `http://localhost:${port}/paypal`;
    return {
      source: certificateSource({ ...paypal, local: true, apiUrl }),
      at: (name: string) => `${apiUrl}/v1/notifications/certs/${name}`,
      asked: () => asked,
    };
  }
});
