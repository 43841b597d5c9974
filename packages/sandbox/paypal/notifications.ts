import { verify } from 'node:crypto';
import type { SandboxConfig } from '../config.ts';
import type { PayPalReply } from './calls.ts';
import type { PayPalContext } from './context.ts';
import { notFound } from './errors.ts';
import { link } from './link.ts';
import { signedText } from './signature.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { PayPalEvent } from './types.ts';

type Fields = Record<string, unknown>;

/** `POST /v1/notifications/verify-webhook-signature` */
export function verifySignature(config: SandboxConfig, keys: SigningKeys, body: Fields): PayPalReply {
  const text = (name: string) => String(body[name] ?? '');
  // Deliveries are compact JSON, which a parsed event is serialized to again.
  const event = JSON.stringify(body.webhook_event ?? {});
  const message = signedText(
    text('transmission_id'),
    text('transmission_time'),
    config.paypal.webhookId,
    event,
  );
  const good =
    text('webhook_id') === config.paypal.webhookId &&
    text('auth_algo') === 'SHA256withRSA' &&
    verify('sha256', Buffer.from(message), keys.publicKey, Buffer.from(text('transmission_sig'), 'base64'));
  return { status: 200, body: { verification_status: good ? 'SUCCESS' : 'FAILURE' } };
}

/** `GET /v1/notifications/webhooks-events`, newest first, by time, type and transaction. */
export function listEvents(ctx: PayPalContext, query: Fields): PayPalReply {
  const self = new URLSearchParams(query as Record<string, string>).toString();
  const repeated = ctx.state.endlessPages.get(self);
  if (repeated) return pageOf(ctx, repeated, self);
  const size = Math.min(Math.max(Number(query.page_size) || 10, 1), 300);
  const events = findEvents(ctx, query);
  const page = events.slice(0, size);
  const resources = page.map(({ resource }) => String(Object(resource).id)).join(' ');
  if (page.length > 0 && ctx.behaviors.consume('paypal-endless-events', resources)) {
    ctx.state.endlessPages.set(self, page);
    return pageOf(ctx, page, self);
  }
  const last = page.at(-1);
  if (!last || events.length <= size) return pageOf(ctx, page);
  // The next page ends before the oldest event of this one.
  const next = new URLSearchParams({ page_size: String(size), end_time: previousMoment(last) });
  if (query.start_time) next.set('start_time', String(query.start_time));
  if (query.event_type) next.set('event_type', String(query.event_type));
  return pageOf(ctx, page, next.toString());
}

function findEvents(ctx: PayPalContext, query: Fields): PayPalEvent[] {
  const from = Date.parse(String(query.start_time ?? '')) || 0;
  const to = Date.parse(String(query.end_time ?? '')) || Number.POSITIVE_INFINITY;
  return [...ctx.state.events.values()].reverse().filter((event) => {
    const time = Date.parse(event.create_time);
    if (time < from || time > to) return false;
    if (query.event_type && query.event_type !== event.event_type) return false;
    return !query.transaction_id || Object(event.resource).id === query.transaction_id;
  });
}

function pageOf(ctx: PayPalContext, events: PayPalEvent[], next?: string): PayPalReply {
  const path = '/v1/notifications/webhooks-events';
  const links = [link(ctx, 'self', path), ...(next ? [link(ctx, 'next', `${path}?${next}`)] : [])];
  return { status: 200, body: { events, count: events.length, links } };
}

export function findEvent(ctx: PayPalContext, id: string): PayPalEvent {
  const event = ctx.state.events.get(id);
  if (!event) throw notFound(id);
  return event;
}

function previousMoment(event: PayPalEvent): string {
  return new Date(Date.parse(event.create_time) - 1).toISOString();
}
