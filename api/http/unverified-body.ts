import type { Request, RequestHandler } from 'express';
import { clientKey } from '../../infra/client-key.ts';
import { BadRequest, HttpError } from './errors.ts';

interface BodyLimits {
  maxBytes: number;
  /** Total size of the bodies that are arriving or not yet verified. */
  maxBytesInFlight: number;
  /** The share of it that one client may use. */
  maxBytesPerClient: number;
  maxArriving: number;
  arrivesWithinMs: number;
  /** What all bodies together may have beyond the first `usualBytes` of each. */
  largeBytesPerSecond: number;
  usualBytes: number;
}

/**
 * Events of Stripe and PayPal are far smaller, and arrive within milliseconds. Only the texts of a dispute's evidence may
 * have 150,000 characters (https://docs.stripe.com/api/disputes/update). In a flood of large bodies such an event is refused
 * too, and so is one whose length a proxy took away; it is sent again, or fetched by the back-fill.
 */
const defaultLimits: BodyLimits = {
  maxBytes: 256 * 1024,
  maxBytesInFlight: 4 * 1024 * 1024,
  maxBytesPerClient: 1024 * 1024,
  maxArriving: 500,
  arrivesWithinMs: 5_000,
  largeBytesPerSecond: 1024 * 1024,
  usualBytes: 32 * 1024,
};

interface Arrival {
  client: string;
  cut(reason: HttpError): void;
}

/**
 * Reads a JSON body into a Buffer, as its signature covers it. Everything that the headers give away is refused before a
 * byte is read, and nothing is inflated. The memory of unverified senders is limited in total and per client; the body
 * that has been arriving for longest makes room, so that slow ones cannot keep out those that arrive at once.
 */
export function unverifiedBody(limits = defaultLimits): RequestHandler {
  const budget = createLargeBodyBudget(limits.largeBytesPerSecond);
  const arrivals = createArrivals(limits);

  function read(req: Request, onEnd: (free: () => void) => void): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const client = clientKey(req.ip);
      const chunks: Buffer[] = [];
      let bytes = 0;
      const free = () => {
        arrivals.hold(client, -bytes);
        bytes = 0;
        chunks.length = 0;
      };
      const arrival: Arrival = {
        client,
        cut(reason) {
          stop();
          free();
          reject(reason);
        },
      };
      const timer = setTimeout(() => arrival.cut(tooSlow()), limits.arrivesWithinMs);
      const onData = (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        arrivals.hold(client, chunk.length);
        const large = Math.min(chunk.length, bytes - limits.usualBytes);
        if (bytes > limits.maxBytes) arrival.cut(tooLarge());
        else if (large > 0 && !budget.spend(large)) arrival.cut(busy());
        else arrivals.makeRoom(client);
      };
      const onWhole = () => {
        stop();
        onEnd(free);
        resolve(Buffer.concat(chunks));
      };
      const onClose = () => arrival.cut(new BadRequest('The body is incomplete'));
      function stop() {
        clearTimeout(timer);
        arrivals.remove(arrival);
        req.off('data', onData).off('end', onWhole).off('close', onClose).pause();
      }
      arrivals.add(arrival);
      req.on('data', onData).once('end', onWhole).once('close', onClose);
      req.on('error', () => {});
      arrivals.makeRoom(client);
    });
  }

  return async function readUnverifiedBody(req, res, next) {
    requireJson(req);
    const length = Number(req.get('content-length') ?? limits.maxBytes);
    if (length > limits.maxBytes) throw tooLarge();
    if (length > limits.usualBytes && budget.isHalfSpent()) throw busy();
    req.body = await read(req, (free) => {
      if (res.closed) free();
      else res.once('close', free);
    });
    next();
  };
}

/** At most half a second's worth is available at once. */
function createLargeBodyBudget(bytesPerSecond: number) {
  let spentUntil = 0;
  return {
    /** False if there is not enough left. */
    spend(bytes: number): boolean {
      const now = performance.now();
      const until = Math.max(now, spentUntil) + (bytes / bytesPerSecond) * 1_000;
      if (until > now + 500) return false;
      spentUntil = until;
      return true;
    },
    isHalfSpent: () => spentUntil > performance.now() + 250,
  };
}

/** The bodies that are arriving, oldest first, and the bytes that each client holds. */
function createArrivals(limits: BodyLimits) {
  // Not a Set, for the reason given in db/batches.ts.
  const arriving: Arrival[] = [];
  const heldBy = new Map<string, number>();
  let inFlight = 0;

  function isOverfull(): boolean {
    return inFlight > limits.maxBytesInFlight || arriving.length > limits.maxArriving;
  }

  /** False if there is none. */
  function cutOldest(applies: (arrival: Arrival) => boolean): boolean {
    const oldest = arriving.find(applies);
    oldest?.cut(busy());
    return oldest !== undefined;
  }

  return {
    add(arrival: Arrival): void {
      arriving.push(arrival);
    },
    remove(arrival: Arrival): void {
      const position = arriving.indexOf(arrival);
      if (position >= 0) arriving.splice(position, 1);
    },
    hold(client: string, bytes: number): void {
      const held = (heldBy.get(client) ?? 0) + bytes;
      inFlight += bytes;
      if (held > 0) heldBy.set(client, held);
      else heldBy.delete(client);
    },
    /** Cuts off the oldest bodies: this client's while it holds too much, then any. */
    makeRoom(client: string): void {
      while (
        (heldBy.get(client) ?? 0) > limits.maxBytesPerClient &&
        cutOldest((one) => one.client === client)
      );
      while (isOverfull() && cutOldest(() => true));
    },
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

function busy(): HttpError {
  return new HttpError(503, 'Busy. Please send the event again.', {
    headers: { ...closing.headers, 'Retry-After': '5' },
  });
}

function tooSlow(): HttpError {
  return new HttpError(408, 'The event took too long to arrive', closing);
}

/** The rest of the body is not read. */
const closing = { headers: { Connection: 'close' } };
