import express, { type Request, Router } from 'express';
import { messages } from '../core/messages.ts';
import { subscribeRequest, tokenRequest } from '../core/newsletter.ts';
import { newsletterUnsubscribeFor } from '../core/paths.ts';
import { confirmSubscription, requestSubscription, unsubscribe } from '../db/newsletter.ts';
import type { RateLimits } from '../infra/rate-limits.ts';
import type { TokenPurpose } from '../infra/tokens.ts';
import { BadRequest, Conflict, type HttpError } from './http/errors.ts';
import { rateLimit, tooMany } from './http/rate-limit.ts';
import { allowOnly, noQuery } from './http/request-guards.ts';
import { requestId } from './http/request-id.ts';
import type { ApiParts } from './parts.ts';

/** The newsletter's calls: subscribing (spec §7), and the two links that our mails carry. A GET changes nothing. */
export function newsletterRoutes({ db, outbox, rateLimits, tokens }: ApiParts): Router {
  const router = Router();

  router
    .route('/newsletter/subscribe')
    .post(noQuery, rateLimit(rateLimits, 'newsletter'), async (req, res) => {
      const { email, website } = subscribeRequest.parse(req.body);
      // A robot that fills the hidden field hears what it wants to hear.
      if (!website) {
        const outcome = await outbox.transaction(requestId(req), (trx) => requestSubscription(trx, email));
        if (outcome === 'already subscribed') throw new Conflict(messages.alreadySubscribed);
      }
      res.json({ message: 'Check your email for confirmation.' });
    })
    .all(allowOnly('POST'));

  router
    .route('/newsletter/confirm')
    .post(noQuery, async (req, res) => {
      const id = await subjectOf(req, 'newsletter-confirm', tokenRequest.parse(req.body).token);
      const found = await outbox.transaction(requestId(req), (trx) => confirmSubscription(trx, id));
      if (!found) throw await linkIsOver(rateLimits, req);
      res.json({ message: 'Your subscription is confirmed.' });
    })
    .all(allowOnly('POST'));

  router
    .route('/newsletter/unsubscribe')
    // Mail programs without the one click open the header's address in a browser, and scanners follow it: the page asks.
    .get((req, res) => {
      const page = newsletterUnsubscribeFor(String(req.query.token ?? ''));
      res.set('Cache-Control', 'no-store').redirect(303, page);
    })
    .post(noQuery, async (req, res) => {
      await unsubscribe(
        db,
        await subjectOf(req, 'newsletter-unsubscribe', tokenRequest.parse(req.body).token),
      );
      res.json({ message: 'You will not hear from us again.' });
    })
    .all(allowOnly('GET', 'POST'));

  return router;

  async function subjectOf(req: Request, purpose: TokenPurpose, token: string): Promise<string> {
    const subject = tokens.verify(purpose, token);
    if (!subject) throw await linkIsOver(rateLimits, req);
    return subject;
  }
}

/**
 * One-click unsubscribing by a mail program (RFC 8058): a form POST to the address in List-Unsubscribe, without cookie
 * or origin. Stands before the guards that our own pages' calls pass; other bodies go on to them.
 */
export function oneClickUnsubscribeRoutes({ db, rateLimits, tokens }: ApiParts): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: '1kb' });
  router.post('/newsletter/unsubscribe', form, async (req, res, next) => {
    if (!req.is('application/x-www-form-urlencoded')) return next();
    const { token } = req.query;
    const subject = typeof token === 'string' ? tokens.verify('newsletter-unsubscribe', token) : undefined;
    if (!subject || req.body['List-Unsubscribe'] !== 'One-Click') throw await linkIsOver(rateLimits, req);
    await unsubscribe(db, subject);
    res.json({ message: 'You will not hear from us again.' });
  });
  return router;
}

/** Bad links are counted, good ones are not: a mail provider's servers press many people's buttons. */
async function linkIsOver(rateLimits: RateLimits, req: Request): Promise<HttpError> {
  const waitSeconds = await rateLimits.use('bad-signature', req.ip ?? 'unknown');
  if (waitSeconds > 0) return tooMany(waitSeconds);
  return new BadRequest('This link is not valid any more. Please subscribe again, or write to us.');
}
