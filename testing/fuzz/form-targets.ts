import { contactRequest } from '../../core/contact.ts';
import { enrollmentForm } from '../../core/enrollment.ts';
import { subscribeRequest, tokenRequest } from '../../core/newsletter.ts';
import type { Body } from './contracts.ts';
import type { Target } from './target.ts';
import { canary, pick } from './world.ts';

/** Fills in the honeypot of every fifth request. */
function withoutTrap(body: Body, salt: number): Body {
  const { website, ...rest } = body;
  return salt % 5 === 0 && website ? body : rest;
}

const canaryMail = (salt: number) => `kanarienvogel-${salt % 500}@${canary.mailDomain}`;

export const formTargets: Target[] = [
  {
    name: 'contact',
    contract: contactRequest,
    accepts: [200],
    draft(_world, salt, body) {
      const person = salt % 4 === 0 ? { name: canary.name, email: canaryMail(salt) } : {};
      const message = salt % 4 === 0 ? { message: `My card is ${canary.card}` } : {};
      const sent = { ...withoutTrap(body, salt), ...person, ...message };
      return { method: 'POST', path: '/api/contact', headers: {}, body: sent };
    },
  },
  {
    name: 'newsletter',
    contract: subscribeRequest,
    accepts: [200, 409],
    draft(_world, salt, body) {
      const sent = { ...withoutTrap(body, salt), ...(salt % 2 === 0 ? { email: canaryMail(salt) } : {}) };
      return { method: 'POST', path: '/api/newsletter/subscribe', headers: {}, body: sent };
    },
  },
  {
    name: 'newsletter links',
    contract: tokenRequest,
    accepts: [200, 400],
    draft({ tokens }, salt) {
      const leaving = salt % 2 === 0;
      const purpose = leaving ? 'newsletter-unsubscribe' : 'newsletter-confirm';
      const path = `/api/newsletter/${leaving ? 'unsubscribe' : 'confirm'}`;
      const token = tokens.sign(purpose, crypto.randomUUID(), 3_600_000);
      if (salt % 4 !== 0) return { method: 'POST', path, headers: {}, body: { token } };
      // RFC 8058 one-click unsubscribe.
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return { method: 'POST', path: `${path}?token=${token}`, headers, body: 'List-Unsubscribe=One-Click' };
    },
  },
  {
    name: 'enrollment',
    contract: enrollmentForm,
    accepts: [200],
    draft({ visitors }, salt, body) {
      const headers = { cookie: pick(visitors, salt)?.cookieHeader() ?? '' };
      const path = '/api/enrollment';
      return salt % 5 === 0 ? { method: 'GET', path, headers } : { method: 'POST', path, headers, body };
    },
  },
];
