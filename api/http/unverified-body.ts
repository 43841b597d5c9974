import type { Request, RequestHandler } from 'express';
import { BadRequest, HttpError, Unavailable } from './errors.ts';

export interface BodyLimits {
  maxBytes: number;
  /** Of all bodies that are read or not yet answered. */
  maxBytesInFlight: number;
}

/** Events of Stripe and PayPal are far smaller. */
const defaultLimits: BodyLimits = { maxBytes: 256 * 1024, maxBytesInFlight: 8 * 1024 * 1024 };

/**
 * Reads a JSON body into a Buffer, as its signature covers it. Everything that the headers give away is refused before a
 * byte is read, and nothing is inflated; the memory of senders that have proved nothing is limited in all.
 */
export function unverifiedBody({ maxBytes, maxBytesInFlight } = defaultLimits): RequestHandler {
  let inFlight = 0;

  async function read(req: Request, hold: (bytes: number) => number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    // Keeps the connection open for the answer when reading ends early.
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      if (hold(chunk.length) > maxBytes) throw tooLarge();
      if (inFlight > maxBytesInFlight) throw new Unavailable('Busy. Please send the event again.');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  return async function readUnverifiedBody(req, res, next) {
    requireJson(req);
    if (Number(req.get('content-length') ?? 0) > maxBytes) throw tooLarge();
    let held = 0;
    res.once('close', () => {
      inFlight -= held;
    });
    const hold = (bytes: number) => {
      held += bytes;
      inFlight += bytes;
      return held;
    };
    req.body = await read(req, hold).catch((error: unknown) => {
      throw error instanceof HttpError ? error : new BadRequest('The body is incomplete');
    });
    next();
  };
}

function requireJson(req: Request): void {
  if (!/^application\/json\b/i.test(req.get('content-type') ?? '')) {
    throw new HttpError(415, 'Send the event as application/json', closing);
  }
  if ((req.get('content-encoding') ?? 'identity') !== 'identity') {
    throw new HttpError(415, 'Send the event without content encoding', closing);
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, 'The event is too large', closing);
}

/** The rest of the body is not read. */
const closing = { headers: { Connection: 'close' } };
