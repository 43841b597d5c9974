import type { Router } from 'express';
import { contactRequest } from '../core/contact.ts';
import { receiveContactMessage } from '../db/contact.ts';
import { withFormSlot } from '../db/form-slots.ts';
import { limitAll, limitSender, type Total } from './http/rate-limit.ts';
import { allowOnly, noQuery } from './http/request-guards.ts';
import { createRouter } from './http/router.ts';
import type { ApiParts } from './parts.ts';

const total: Total = {
  name: 'contact-all',
  message: 'We are receiving unusually many messages. Please try again later, or write to us by e-mail.',
};

/** POST /api/contact */
export function contactRoutes({ db, outbox, rateLimits }: ApiParts): Router {
  const router = createRouter();
  router
    .route('/contact')
    .post(noQuery, limitSender(rateLimits, 'contact', total), async (req, res) => {
      const { website, ...message } = contactRequest.parse(req.body);
      // Honeypot: only bots fill it in. Pretend it worked.
      if (!website) {
        await limitAll(rateLimits, total, res);
        await withFormSlot(db, () =>
          outbox.transaction(req.id, (trx) => receiveContactMessage(trx, message)),
        );
      }
      res.json({ message: "We'll get back to you within 24 hours." });
    })
    .all(allowOnly('POST'));
  return router;
}
