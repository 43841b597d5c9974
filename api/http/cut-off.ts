import type { Socket } from 'node:net';
import type { Request, RequestHandler } from 'express';
import type { Logger } from '../../infra/logger.ts';

/** Browsers and proxies wait for an answer before they send the next request on a connection. */
const MAX_UNANSWERED = 8;
/** Any body may have this many pieces; those of a longer one must have {@link MIN_BYTES} on average. */
const FREE_PIECES = 200;
const MIN_BYTES = 200;

declare global {
  namespace Express {
    interface Request {
      /** What has arrived of the body. */
      arrived: { pieces: number; bytes: number };
    }
  }
}

/**
 * Cuts off senders who cause much work and memory with few bytes: by hundreds of requests that do not wait for their
 * answers, all of which Node.js would hold, or by a body in chunks of one byte, each of which takes over 100 bytes of memory.
 * `requests` is the application's request prototype.
 */
export function cutOffFloods(requests: Request, logger: Logger): RequestHandler {
  const unanswered = new WeakMap<Socket, number>();
  countPieces(requests, (req) => cutOff(req, logger, 'the body is in too many pieces'));
  return function cutOffFlood(req, res, next) {
    const { socket } = req;
    const waiting = (unanswered.get(socket) ?? 0) + 1;
    if (waiting > MAX_UNANSWERED) return cutOff(req, logger, 'requests do not wait for their answers');
    unanswered.set(socket, waiting);
    res.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    req.arrived = { pieces: 0, bytes: 0 };
    next();
  };
}

/**
 * Cuts off a request that is queued behind another one's answer, for routes that hold memory until their own is sent: the first
 * answer may take as long as the client likes.
 */
export function cutOffQueued(logger: Logger): RequestHandler {
  return function cutOffQueuedRequest(req, res, next) {
    // Node.js assigns the socket once all answers before this one are sent.
    if (res.socket) return next();
    cutOff(req, logger, 'the request did not wait for the answer before it');
  };
}

function cutOff({ ip, socket }: Request, logger: Logger, reason: string): void {
  logger.info({ address: ip, reason }, 'connection cut off');
  stopParsing(socket);
  socket.destroy();
}

/**
 * Node.js makes requests of all that has arrived, even if the connection is destroyed in the meantime, and has no documented
 * way to stop.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming: () => number } | null }): void {
  // As after an upgrade: what follows is not HTTP.
  if (socket.parser) socket.parser.onIncoming = () => 2;
}

/**
 * Counts on arrival, so it does not matter whether and where the body is read. Overrides the prototype's method: overriding
 * it on each request slows V8 down, and a webhook took a third more CPU time.
 */
function countPieces(requests: Request, cutOff: (req: Request) => void): void {
  const { push } = requests;
  requests.push = function count(this: Request, piece: Buffer | null) {
    const { arrived, socket } = this;
    if (piece === null) return push.call(this, piece);
    if (socket.destroyed) return false;
    arrived.pieces++;
    arrived.bytes += piece.length;
    if (arrived.pieces <= FREE_PIECES + arrived.bytes / MIN_BYTES) return push.call(this, piece);
    cutOff(this);
    return false;
  };
}
