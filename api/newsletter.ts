import express, { type Request, type RequestHandler, type Router } from 'express';
import { messages } from '../core/messages.ts';
import { subscribeRequest, tokenRequest } from '../core/newsletter.ts';
import { newsletterUnsubscribeFor, paths } from '../core/paths.ts';
import { withFormSlot } from '../db/form-slots.ts';
import { confirmSubscription, requestSubscription, unsubscribe } from '../db/newsletter.ts';
import type { TokenPurpose } from '../infra/tokens.ts';
import { BadRequest, Conflict, type HttpError } from './http/errors.ts';
import { ownAddressForm } from './http/form-posts.ts';
import { countBadSignature, limitAll, limitSender, type Total, tooMany } from './http/rate-limit.ts';
import { redirect } from './http/redirect.ts';
import { allowOnly, noQuery, refuseCrossSite } from './http/request-guards.ts';
import { createRouter } from './http/router.ts';
import type { ApiParts } from './parts.ts';

const CONFIRMED = 'Your subscription is confirmed.';
const UNSUBSCRIBED = 'You have been unsubscribed.';
const total: Total = {
  name: 'newsletter-all',
  message: 'We are receiving unusually many subscriptions. Please try again later.',
};

export function newsletterRoutes(parts: ApiParts): Router {
  const { db, outbox, rateLimits } = parts;
  const router = createRouter();

  router
    .route('/newsletter/subscribe')
    .post(noQuery, limitSender(rateLimits, 'newsletter', total), async (req, res) => {
      const { email, website } = subscribeRequest.parse(req.body);
      // Honeypot: only bots fill it in. Pretend it worked.
      if (!website) {
        await limitAll(rateLimits, total, res);
        const outcome = await withFormSlot(db, () =>
          outbox.transaction(req.id, (trx) => requestSubscription(trx, email)),
        );
        if (outcome === 'already subscribed')
          throw new Conflict(messages.alreadySubscribed, 'already_subscribed');
      }
      res.json({ message: 'Check your email for confirmation.' });
    })
    .all(allowOnly('POST'));

  router
    .route('/newsletter/confirm')
    .post(noQuery, async (req, res) => {
      const { token } = tokenRequest.parse(req.body);
      await confirm(parts, req, token);
      res.json({ message: CONFIRMED });
    })
    .all(allowOnly('POST'));

  router
    .route('/newsletter/unsubscribe')
    // Mail clients without one-click support open the List-Unsubscribe address in a browser.
    .get((req, res) => {
      const page = newsletterUnsubscribeFor(String(req.query.token ?? ''));
      redirect(res.set('Cache-Control', 'no-store'), 303, page);
    })
    .post(noQuery, async (req, res) => {
      const { token } = tokenRequest.parse(req.body);
      await leave(parts, req, token);
      res.json({ message: UNSUBSCRIBED });
    })
    .all(allowOnly('GET', 'POST'));

  return router;
}

/** One-click unsubscribe (RFC 8058): mail clients POST a form without cookie or origin, so mount it before the guards. */
export function oneClickUnsubscribeRoutes(parts: ApiParts): Router {
  const router = createRouter();
  const form = express.urlencoded({ extended: false, limit: '1kb' });
  const route = router.route('/newsletter/unsubscribe');
  route.post(form, async (req, res, next) => {
    if (!req.is('application/x-www-form-urlencoded')) return next();
    if (req.body['List-Unsubscribe'] !== 'One-Click') throw await invalidLink(parts, req);
    await leave(parts, req, req.query.token);
    res.json({ message: UNSUBSCRIBED });
  });
  route.all(passOn);
  return router;
}

/** Without this, Express answers OPTIONS itself for a path that has another method. */
const passOn: RequestHandler = (_req, _res, next) => next();

/** The same two links without JavaScript: the pages' forms post to their own URLs. */
export function newsletterFormRoutes(parts: ApiParts): Router {
  const router = createRouter();
  const failed = 'This link no longer works';
  addForm(paths.newsletterConfirm, 'You are on the list', CONFIRMED, confirm);
  addForm(paths.newsletterUnsubscribe, 'You have left the newsletter', UNSUBSCRIBED, leave);
  return router;

  function addForm(page: string, succeeded: string, message: string, follow: typeof confirm): void {
    router
      .route(page)
      .post(refuseCrossSite(parts.config), ownAddressForm({ succeeded, failed }), async (req, res) => {
        await follow(parts, req, req.query.token);
        res.json({ message });
      })
      .all(passOn);
  }
}

async function confirm(parts: ApiParts, req: Request, token: unknown): Promise<void> {
  const id = await verifyLink(parts, req, 'newsletter-confirm', token);
  const found = await parts.outbox.transaction(req.id, (trx) => confirmSubscription(trx, id));
  if (!found) throw await invalidLink(parts, req);
}

async function leave(parts: ApiParts, req: Request, token: unknown): Promise<void> {
  await unsubscribe(parts.db, await verifyLink(parts, req, 'newsletter-unsubscribe', token));
}

async function verifyLink(
  parts: ApiParts,
  req: Request,
  purpose: TokenPurpose,
  token: unknown,
): Promise<string> {
  const id = typeof token === 'string' ? parts.tokens.verify(purpose, token) : undefined;
  if (!id) throw await invalidLink(parts, req);
  return id;
}

/** Only invalid links count towards the limit: a mail provider's servers click for many people. */
async function invalidLink({ rateLimits }: ApiParts, req: Request): Promise<HttpError> {
  const waitSeconds = await countBadSignature(rateLimits, req);
  if (waitSeconds > 0) return tooMany(waitSeconds);
  return new BadRequest('This link has expired or is invalid. Please subscribe again or contact us.');
}
