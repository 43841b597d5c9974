import fc, { type Arbitrary } from 'fast-check';
import { type Contract, fieldsOf, oddValue } from './contracts.ts';
import { nastyStrings } from './corpus.ts';
import type { Mutation } from './drafts.ts';

const headerNames = [
  'content-type',
  'content-encoding',
  'accept',
  'accept-encoding',
  'accept-language',
  'cookie',
  'origin',
  'referer',
  'sec-fetch-site',
  'idempotency-key',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-request-id',
  'if-none-match',
  'if-modified-since',
  'range',
  'authorization',
  'stripe-signature',
  'paypal-cert-url',
  'paypal-transmission-time',
  'paypal-transmission-sig',
  'paypal-auth-algo',
  'user-agent',
];
const headerValues = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;charset="',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'gzip',
  'deflate, gzip',
  'br',
  'compress',
  'session=s%3Ax.y',
  'session=s%3A; session=s%3Ab',
  '__proto__=1; constructor=2',
  'cross-site',
  'null',
  'bytes=0-0,-1',
  'bytes=99999999999-',
  '*',
  'W/"',
  't=1,v1=00',
  't=99999999999999999999,v1=',
  'https://api.paypal.com/v1/notifications/certs/../x',
];

const outsideFields: Arbitrary<Mutation> = fc.oneof(
  fc.nat(4_000).map((at): Mutation => ({ kind: 'cut', at })),
  fc.tuple(fc.nat(4_000), fc.nat(255)).map(([at, byte]): Mutation => ({ kind: 'byte', at, byte })),
  fc.nat(4_000).map((at): Mutation => ({ kind: 'forge', at })),
  fc
    .tuple(
      fc.constantFrom(...headerNames),
      fc.oneof(fc.constantFrom(...nastyStrings), fc.constantFrom(...headerValues)),
    )
    .map(([name, value]): Mutation => ({ kind: 'header', name, value })),
  fc.nat(20).map((at): Mutation => ({ kind: 'drop header', at })),
  fc.constantFrom(...nastyStrings).map((text): Mutation => ({ kind: 'path', text })),
  fc.constantFrom(...nastyStrings).map((text): Mutation => ({ kind: 'query', text })),
  fc
    .constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND')
    .map((method): Mutation => ({ kind: 'method', method })),
);

/** One corruption of a request, mostly of a body field. */
export function mutationOf(contract: Contract | undefined): Arbitrary<Mutation> {
  if (!contract) return outsideFields;
  const field = fc.constantFrom(...fieldsOf(contract));
  const odd = field.chain((name) =>
    oddValue(contract, name).map((value): Mutation => ({ kind: 'replace', field: name, value })),
  );
  const added = fc
    .tuple(
      fc.oneof(fc.constantFrom(...nastyStrings), fc.constantFrom('status', 'id', 'role', 'price')),
      fc.jsonValue(),
    )
    .map(([name, value]): Mutation => ({ kind: 'replace', field: name, value }));
  return fc.oneof(
    { weight: 6, arbitrary: odd },
    { weight: 1, arbitrary: field.map((name): Mutation => ({ kind: 'remove', field: name })) },
    { weight: 1, arbitrary: field.map((name): Mutation => ({ kind: 'double', field: name })) },
    { weight: 1, arbitrary: added },
    { weight: 3, arbitrary: outsideFields },
  );
}
