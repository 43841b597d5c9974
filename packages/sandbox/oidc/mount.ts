import express, { type Request, type Response, Router } from 'express';
import type { Provider } from 'oidc-provider';
import { escapeHtml, htmlPage } from '../html.ts';
import type { SandboxParts } from '../parts.ts';
import { OidcKeys } from './keys.ts';
import { findPerson, people, portraitOf } from './people.ts';
import { createOidcProvider } from './provider.ts';

/** `/oidc`: a certified OpenID provider with one-click sign-in. */
export function oidcSandbox({ config, stateFile, publicUrl }: SandboxParts): Router {
  const keys = new OidcKeys(stateFile.touch);
  stateFile.keep('oidcKeys', keys);
  let current: { provider: Promise<Provider>; for: string } | undefined;
  // Created at the first request: the addresses depend on ports that are not known earlier.
  const provider = () => {
    const addresses = `${publicUrl()} ${config.siteUrl}`;
    if (current?.for !== addresses) {
      current = { provider: createOidcProvider(config, publicUrl(), keys), for: addresses };
    }
    return current.provider;
  };

  const router = Router();
  router.get('/portraits/:file', (req, res) => {
    const person = findPerson(req.params.file.replace(/\.svg$/, ''));
    if (!person?.color) return void res.status(404).end();
    res.set('Cross-Origin-Resource-Policy', 'cross-origin').type('svg').send(portraitOf(person));
  });
  router.get('/interaction/:uid', async (req, res) => {
    await inInteraction(res, async () => {
      await (await provider()).interactionDetails(req, res);
      res.set('Cache-Control', 'no-store').send(signInPage(req.params.uid));
    });
  });
  router.post('/interaction/:uid', express.urlencoded({ extended: false }), async (req, res) => {
    await inInteraction(res, async () => answerSignIn(await provider(), req, res));
  });
  router.use(async (req, res) => (await provider()).callback()(req, res));
  return router;
}

async function answerSignIn(provider: Provider, req: Request, res: Response): Promise<void> {
  const person = findPerson(String(Object(req.body).person));
  const answer = person
    ? { login: { accountId: person.sub } }
    : { error: 'access_denied', error_description: 'The person did not sign in' };
  await provider.interactionFinished(req, res, answer, { mergeWithLastSubmission: false });
}

/** An expired sign-in, or one started in another browser, is a client error. */
async function inInteraction(res: Response, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SessionNotFound') throw error;
    res
      .status(400)
      .send(htmlPage('Sign-in expired', '<h1>This sign-in has expired</h1><p>Please start again.</p>'));
  }
}

function signInPage(uid: string): string {
  const buttons = people.map(({ sub, givenName, familyName, email, about }) => {
    const name = givenName ? `${givenName} ${familyName}` : email;
    return `<p><button name="person" value="${sub}">Continue as ${escapeHtml(name)}</button><br>
      <span class="muted">${escapeHtml(about)} · ${escapeHtml(email)}</span></p>`;
  });
  return htmlPage(
    'Sign in',
    `<form class="card" method="post" action="/oidc/interaction/${escapeHtml(uid)}">
      <h1>Sign in</h1><p class="muted">Test people of the sandbox. No password.</p>
      ${buttons.join('')}
      <p><button class="quiet" name="person" value="">Cancel</button></p>
    </form>`,
  );
}
