import { expect, test } from 'vitest';
import { observe, type Visit } from './observatory.ts';

const origin = 'https://elsewhere.example';
const best: Record<string, string> = {
  'content-security-policy': "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'credentialless',
  'cross-origin-opener-policy': 'same-origin',
};

const visit: Visit = {
  headers: new Headers(best),
  html: '<script type="module" src="/a.js" integrity="sha384-x"></script>',
  cookies: ['__Host-session=x; Path=/; HttpOnly; Secure; SameSite=Lax'],
  foreign: { headers: new Headers(), origin },
  redirects: ['http://q.example/', 'https://q.example/'],
};

const withHeader = (name: string, value: string | null) => {
  const { [name]: _left, ...others } = best;
  return { headers: new Headers(value === null ? others : { ...others, [name]: value }) };
};
const policy = (value: string) => withHeader('content-security-policy', `${value}; frame-ancestors 'none'`);
const reflecting = {
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
};

test('scores 160 for a page without weaknesses', () => {
  expect(observe(visit).score).toBe(160);
});

test.each<[string, Partial<Visit>, number]>([
  ['default-src is not none', policy("default-src 'self'"), 155],
  ['styles may be inline', policy("default-src 'none'; style-src 'unsafe-inline'"), 150],
  ['scripts may be inline', policy("default-src 'none'; script-src 'unsafe-inline'"), 80],
  [
    'a nonce outweighs inline scripts',
    policy("default-src 'none'; script-src 'nonce-a' 'unsafe-inline'"),
    160,
  ],
  ['scripts may come from anywhere', policy("default-src 'none'; script-src https:"), 80],
  ['scripts may be compiled', policy("default-src 'none'; script-src 'unsafe-eval'"), 140],
  ['frames may come in the clear', policy("default-src 'none'; frame-src http://a.example"), 80],
  ['pictures may come in the clear', policy("default-src 'none'; img-src http://a.example"), 140],
  ['there is no policy', withHeader('content-security-policy', null), 55],
  ['there is no cookie', { cookies: [] }, 155],
  ['a cookie names no SameSite', { cookies: ['a=1; Secure'] }, 155],
  ['a cookie is not Secure', { cookies: ['a=1; SameSite=Lax'] }, 150],
  ['a session can be read by scripts', { cookies: ['session=1; Secure; SameSite=Lax'] }, 70],
  ['a session is not Secure', { cookies: ['session=1; HttpOnly; SameSite=Lax'] }, 145],
  ['others may ask with credentials', { foreign: { origin, headers: new Headers(reflecting) } }, 50],
  ['http stays http', { redirects: ['http://q.example/'] }, 80],
  ['http leads to another host first', { redirects: ['http://q.example/', 'https://w.example/'] }, 155],
  ['nothing answers to http', { redirects: [] }, 160],
  ['the referrer is sent in full', withHeader('referrer-policy', 'unsafe-url'), 150],
  ['there is no referrer policy', withHeader('referrer-policy', null), 155],
  ['https is promised for a day', withHeader('strict-transport-security', 'max-age=86400'), 150],
  ['https is not promised', withHeader('strict-transport-security', null), 80],
  ['our scripts are not pinned', { html: '<script src="/a.js"></script>' }, 155],
  ['a foreign script is not pinned', { html: '<script src="https://js.example/a.js"></script>' }, 150],
  ['a foreign script comes in the clear', { html: '<script src="http://js.example/a.js"></script>' }, 50],
  ['types may be guessed', withHeader('x-content-type-options', null), 155],
  ['anyone may frame it', withHeader('content-security-policy', "default-src 'none'"), 80],
  ['anyone may embed it', withHeader('cross-origin-resource-policy', null), 150],
  ['it embeds anything', withHeader('cross-origin-embedder-policy', null), 150],
  ['openers keep a hand on it', withHeader('cross-origin-opener-policy', 'unsafe-none'), 150],
])('scores a page right when %s', (_what, weakness, score) => {
  expect(observe({ ...visit, ...weakness }).score).toBe(score);
});
