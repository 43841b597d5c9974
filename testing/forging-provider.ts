import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../infra/config.ts';

export type Claims = Record<string, unknown>;
/** How a token is signed: with the provider's key, unsigned, with the client secret, or with another key. */
export type Signature = 'genuine' | 'none' | 'HS256' | 'foreign' | 'broken';

/** An OpenID provider with configurable answers that counts its requests. */
export interface ForgingProvider {
  readonly settings: Config['oidc'];
  readonly asked: Map<string, number>;
  /** The next ID tokens' claims and signature. Undefined claims are omitted. */
  forge(claims: Claims, signature?: Signature): void;
  /** Overrides of the discovery document. */
  announce(metadata: Claims): void;
  /** Breaks or silences the answers of a path, such as `/jwks`. */
  interrupt(path: string, answer: (response: ServerResponse) => void): void;
  /** Replaces the signing keys. */
  rotateKeys(): void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const clientSecret = 'a secret that only the client and the provider know';
const now = () => Math.floor(Date.now() / 1_000);

export async function startForgingProvider(port = 0): Promise<ForgingProvider> {
  const asked = new Map<string, number>();
  const interruptions = new Map<string, (response: ServerResponse) => void>();
  let keys = keysOf('first');
  let token: { claims: Claims; signature: Signature } = { claims: {}, signature: 'genuine' };
  let announced: Claims = {};

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', issuer()).pathname;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const interruption = interruptions.get(path);
    if (interruption) return interruption(response);
    const answer = answers[path]?.();
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  const issuer = () => `http://localhost:${(server.address() as AddressInfo | null)?.port ?? port}`;

  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: issuer(),
      authorization_endpoint: `${issuer()}/authorize`,
      token_endpoint: `${issuer()}/token`,
      jwks_uri: `${issuer()}/jwks`,
      userinfo_endpoint: `${issuer()}/userinfo`,
      id_token_signing_alg_values_supported: ['RS256'],
      ...announced,
    }),
    '/jwks': () => ({
      keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: keys.id, use: 'sig', alg: 'RS256' }],
    }),
    '/token': () => ({
      access_token: 'access',
      token_type: 'Bearer',
      expires_in: 60,
      id_token: write(token.claims, token.signature),
    }),
    '/userinfo': () => ({ sub: 'ada', email: 'ada@example.com', email_verified: true }),
  };

  function write(claims: Claims, signature: Signature): string {
    const usual = { iss: issuer(), aud: 'querywright', sub: 'ada', iat: now(), exp: now() + 60 };
    return signToken({ ...usual, ...claims }, signature, keys);
  }

  const listen = (at: number) =>
    new Promise<void>((resolve) => server.listen(at, 'localhost', () => resolve()));
  await listen(port);
  const { port: taken } = server.address() as AddressInfo;
  return {
    settings: {
      issuer: `http://localhost:${taken}`,
      clientId: 'querywright',
      clientSecret,
      scopes: 'openid email profile',
      pictureOrigins: [],
      local: false,
    },
    asked,
    forge: (claims, signature = 'genuine') => {
      token = { claims, signature };
    },
    announce: (metadata) => {
      announced = metadata;
    },
    interrupt: (path, answer) => void interruptions.set(path, answer),
    rotateKeys: () => {
      keys = keysOf('second');
    },
    async stop() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
    start: () => listen(taken),
  };
}

interface Keys {
  id: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

const made = new Map<string, Keys>();

/** The same keys for the same id: making RSA keys costs more than most tests. */
function keysOf(id: 'first' | 'second' | 'foreign'): Keys {
  const keys = made.get(id) ?? { id, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  made.set(id, keys);
  return keys;
}

function signToken(claims: Claims, signature: Signature, keys: Keys): string {
  const alg = signature === 'none' || signature === 'HS256' ? signature : 'RS256';
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg, kid: keys.id })}.${part(claims)}`;
  return `${signed}.${signatureOf(signed, signature, keys)}`;
}

function signatureOf(signed: string, signature: Signature, keys: Keys): string {
  if (signature === 'none') return '';
  if (signature === 'HS256') return createHmac('sha256', clientSecret).update(signed).digest('base64url');
  const key = signature === 'foreign' ? keysOf('foreign').privateKey : keys.privateKey;
  const genuine = sign('sha256', Buffer.from(signed), key);
  if (signature === 'broken') genuine[0] = (genuine[0] ?? 0) ^ 1;
  return genuine.toString('base64url');
}
