import * as oidc from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchBrowser, startShop, type TestShop } from '../testing/browser.ts';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';

let sandbox: RunningSandbox;
let site: TestShop;
let browser: Browser;
let client: oidc.Configuration;

beforeAll(async () => {
  site = await startShop('http://localhost', '', '');
  sandbox = await startSandbox({ siteUrl: site.url });
  browser = await launchBrowser();
  const issuer = new URL(`${sandbox.url}/oidc`);
  const { clientId, clientSecret } = sandbox.config.oidc;
  client = await oidc.discovery(issuer, clientId, clientSecret, undefined, {
    execute: [oidc.allowInsecureRequests],
  });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await sandbox?.close();
  await site?.close();
});

test.each([
  [
    'Ada Lovett',
    { sub: 'person-pending', given_name: 'Ada', family_name: 'Lovett', email: 'ada.lovett@example.com' },
  ],
  ['Grace Hooper', { sub: 'person-completed', given_name: 'Grace', email_verified: true }],
])('one click signs %s in, with PKCE, state and nonce', { timeout: 30_000 }, async (name, expected) => {
  const page = await newPage();
  const { claims } = await signIn(page, name);
  expect(claims).toMatchObject(expected);
  const picture = await fetch(String(claims.picture));
  expect(picture.headers.get('content-type')).toContain('image/svg+xml');
  await page.context().close();
});

test('signs in a person without name and picture', { timeout: 30_000 }, async () => {
  const page = await newPage();
  const { claims, userinfo } = await signIn(page, 'ops-team-without-a-name@customer.example.com');
  for (const known of [claims, userinfo]) {
    expect(known).toMatchObject({ sub: 'person-nameless', email_verified: true });
    for (const claim of ['name', 'given_name', 'picture']) expect(known).not.toHaveProperty(claim);
  }
  await page.context().close();
});

test('signs out without another click and returns to the site', {
  timeout: 30_000,
}, async () => {
  const page = await newPage();
  const { idToken } = await signIn(page, 'Ada Lovett');
  const again = await begin();
  await page.goto(again.url.href);
  await page.waitForURL(/\/api\/callback/);

  const leave = oidc.buildEndSessionUrl(client, {
    id_token_hint: idToken,
    post_logout_redirect_uri: `${site.url}/`,
  });
  await page.goto(leave.href);
  await page.waitForURL(`${site.url}/`);
  await page.goto((await begin()).url.href);
  await page.getByRole('button', { name: 'Continue as Ada Lovett' }).waitFor();
  await page.context().close();
});

test('returns access_denied after a cancellation', { timeout: 30_000 }, async () => {
  const page = await newPage();
  await page.goto((await begin()).url.href);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(/\/api\/callback\?error=access_denied/);
  await page.context().close();
});

test('refuses a login without PKCE or to an unknown address', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const query = {
    client_id: 'querywright',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `${site.url}/api/callback`,
  };
  const plain = await fetch(`${sandbox.url}/oidc/auth?${new URLSearchParams(query)}`, { redirect: 'manual' });
  expect(plain.headers.get('location')).toContain('error=invalid_request');
  const foreign = new URLSearchParams({
    ...query,
    redirect_uri: 'http://evil.example/',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const answer = await fetch(`${sandbox.url}/oidc/auth?${foreign}`, { redirect: 'manual' });
  expect(answer.status).toBe(400);
  expect((await fetch(`${sandbox.url}/oidc/interaction/unknown`)).status).toBe(400);
  error.mockRestore();
});

async function newPage(): Promise<Page> {
  return (await browser.newContext()).newPage();
}

async function begin() {
  const verifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: `${site.url}/api/callback`,
    scope: 'openid email profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  return { url, verifier, state, nonce };
}

async function signIn(page: Page, name: string) {
  const { url, verifier, state, nonce } = await begin();
  await page.goto(url.href);
  await page.getByRole('button', { name: `Continue as ${name}` }).click();
  await page.waitForURL(/\/api\/callback/);
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  };
  const tokens = await oidc.authorizationCodeGrant(client, new URL(page.url()), checks);
  const claims = tokens.claims();
  if (!claims) throw new Error('no ID token came');
  const userinfo = await oidc.fetchUserInfo(client, tokens.access_token, claims.sub);
  return { claims, userinfo, idToken: tokens.id_token ?? '' };
}
