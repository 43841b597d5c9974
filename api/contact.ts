import { Router } from 'express';
import { contactRequest } from '../core/contact.ts';
import { storeContactMessage } from '../db/contact.ts';
import { queueEmails } from '../db/emails.ts';
import { rateLimit } from './http/rate-limit.ts';
import { allowOnly, noQuery } from './http/request-guards.ts';
import { requestId } from './http/request-id.ts';
import type { ApiParts } from './parts.ts';

/** POST /api/contact (spec §7): stored together with the mails to staff and to the visitor. */
export function contactRoutes({ outbox, rateLimits }: ApiParts): Router {
  const router = Router();
  router
    .route('/contact')
    .post(noQuery, rateLimit(rateLimits, 'contact'), async (req, res) => {
      const { website, ...message } = contactRequest.parse(req.body);
      // Nobody sees this field, so whoever fills it is a robot: it hears what it wants to hear.
      if (!website) {
        await outbox.transaction(requestId(req), async (trx) => {
          const messageId = await storeContactMessage(trx, message);
          await queueEmails(trx, [
            { kind: 'contact_notice', dedupeKey: messageId, params: { messageId } },
            { kind: 'contact_acknowledgement', dedupeKey: messageId, params: { messageId } },
          ]);
        });
      }
      res.json({ message: "We'll get back to you within 24 hours." });
    })
    .all(allowOnly('POST'));
  return router;
}
