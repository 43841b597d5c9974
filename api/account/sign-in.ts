import type { Request, RequestHandler, Router } from 'express';
import { deviceName } from '../../core/device-name.ts';
import { safeReturnPath } from '../../core/return-path.ts';
import { credentialsOf, FRESH_MS, staffRoleOf } from '../../core/staff.ts';
import { recordSignIn } from '../../db/users.ts';
import { LoginRejected, type SignedIn } from '../../infra/identity.ts';
import { BadRequest, HttpError, Unavailable } from '../http/errors.ts';
import { limitSender } from '../http/rate-limit.ts';
import { redirect } from '../http/redirect.ts';
import { allowOnly } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import { toHttps } from '../http/to-https.ts';
import type { ApiParts } from '../parts.ts';
import { createPendingLogins } from './pending-logins.ts';
import { endSession, renewSession, type SessionGuard, saveSession, showHint } from './session.ts';
import { signInErrorPage } from './sign-in-pages.ts';

/** OpenID Connect sign-in and sign-out by full-page navigation: code flow with PKCE, state and nonce. Errors are pages. */
export function signInRoutes(parts: ApiParts, guard: SessionGuard): Router {
  const { config, db, identity, rateLimits, sessions } = parts;
  const router = createRouter();
  const limited = limitSender(rateLimits, 'login');
  const pendingLogins = createPendingLogins(config);
  router.use(['/login', '/callback', '/logout'], noStore, toHttps(config.publicUrl));

  router
    .route('/login')
    .get(
      ownNavigation('sign-in'),
      limited,
      secureOnly(config.publicUrl),
      guard.required,
      async (req, res) => {
        const { url, pending } = await identity.beginLogin({ fresh: req.query.fresh === '1' });
        pendingLogins.keep(req, res, { ...pending, returnTo: returnPath(req, config.publicUrl) });
        redirect(res, 303, url.href);
      },
    )
    .all(allowOnly('GET'));

  router
    .route('/callback')
    .get(limited, guard.required, async (req, res) => {
      const login = pendingLogins.take(req, res, req.query.state);
      if (!login) throw new BadRequest('This sign-in has expired or was started in another browser.');
      const callback = new URL(`/api/callback?${req.originalUrl.split('?')[1]}`, config.publicUrl);
      const signedIn = await identity.completeLogin(callback, login).catch(ignoreCancellation);
      if (signedIn) await enter(req, signedIn, login.fresh);
      if (signedIn) showHint(config, res, sessions.idleMs);
      redirect(res, 303, login.returnTo);
    })
    .all(allowOnly('GET'));

  router
    .route('/logout')
    .get(ownNavigation('sign-out'), guard.required, async (req, res) => {
      const { idToken, userId } = req.session;
      await endSession(config, req, res);
      if (userId) req.log.info({ userId }, 'signed out');
      const atProvider = idToken ? await identity.logoutUrl(idToken) : undefined;
      redirect(res, 303, atProvider?.href ?? '/');
    })
    .all(allowOnly('GET'));

  router.use(['/login', '/callback', '/logout'], signInErrorPage);
  return router;

  async function enter(
    req: Request,
    { identity: person, claims, idToken }: SignedIn,
    fresh = false,
  ): Promise<void> {
    const userId = await db.transaction((trx) => recordSignIn(trx, person));
    await renewSession(req);
    const device = deviceName(req.get('user-agent'));
    const signedInAt = Date.now();
    Object.assign(req.session, { userId, idToken, device, signedInAt });
    const credentials = credentialsOf(config.staff, person, claims);
    if (staffRoleOf(config.staff, credentials)) {
      const freshUntil = fresh ? signedInAt + FRESH_MS : 0;
      req.session.staff = { credentials, name: nameOf(person), seenAt: signedInAt, freshUntil };
    }
    await saveSession(req);
    req.log.info({ userId }, 'signed in');
  }
}

/** The name in the desk's records: the verified address, or for staff who are known by a claim their name or subject. */
function nameOf({ email, emailVerified, firstName, lastName, subject }: SignedIn['identity']): string {
  if (email && emailVerified) return email;
  return [firstName, lastName].filter(Boolean).join(' ') || subject;
}

/** The page to return to: the requested one, otherwise the referring page. */
function returnPath(req: Request, publicUrl: string): string {
  if (req.query.returnTo !== undefined) return safeReturnPath(req.query.returnTo);
  const referer = req.get('referer') ?? '';
  if (!URL.canParse(referer)) return '/';
  const { origin, pathname, search } = new URL(referer);
  return origin === new URL(publicUrl).origin ? safeReturnPath(pathname + search) : '/';
}

/** Canceling at the provider is not an error. */
function ignoreCancellation(error: unknown): undefined {
  if (error instanceof LoginRejected && error.reason === 'access_denied') return undefined;
  throw error;
}

const noStore: RequestHandler = function noStore(_req, res, next) {
  res.set('Cache-Control', 'no-store');
  next();
};

/** Over plain HTTP no secure cookie would be set, and the sign-in would fail at its end. */
function secureOnly(publicUrl: string): RequestHandler {
  return function secureOnly(req, _res, next) {
    if (!publicUrl.startsWith('https:') || req.secure) return next();
    const cause = new Error('The request looks like plain http: TRUST_PROXY must name the proxy in front');
    throw new Unavailable('Sign-in is not set up for this site yet.', cause);
  };
}

/** Both are GETs that change the session: cross-site links, prefetches and embedded images must not trigger them. */
function ownNavigation(button: 'sign-in' | 'sign-out'): RequestHandler {
  return function ownNavigation(req, _res, next) {
    const [site, destination] = [req.get('sec-fetch-site'), req.get('sec-fetch-dest')];
    const foreign = site === 'cross-site' || site === 'same-site';
    const embedded = destination !== undefined && destination !== 'document';
    if (!foreign && !embedded && req.get('sec-purpose') === undefined) return next();
    throw new HttpError(403, `Please use the ${button} button on our pages.`);
  };
}
