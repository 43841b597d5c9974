import { type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../infra/config.ts';
import { codeOf } from './errors.ts';
import { securityHeaderValues } from './security-headers.ts';

/** Time limits for the headers, for the whole request, and between two requests. */
export const serverOptions = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  // How often the first two are enforced; Node's default of 30 s would double them.
  connectionsCheckingInterval: 5_000,
  // request-guards.ts refuses a missing Host with a message; Node.js would send an empty answer.
  requireHostHeader: false,
} as const satisfies ServerOptions;

const messages: Record<number, string> = {
  400: 'This is not a valid HTTP request',
  408: 'The request took too long to arrive',
  413: 'The body is too large',
  431: 'The headers are too large',
};
const statusOf: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const GONE_WITHIN_MS = 1_000;

/** An idle connection takes 9 kB of memory. */
const MAX_CONNECTIONS = 10_000;

/**
 * Limits the connections, and answers malformed, oversized and slow requests like the API: a message, the usual headers,
 * connection closed.
 */
export function protectServer(
  server: Server,
  config: Config,
  { maxConnections = MAX_CONNECTIONS } = {},
): void {
  server.maxConnections = maxConnections;
  const headers = securityHeaderValues(config);
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', (req, res) => answers.set(req.socket, res));
  // Node.js would answer 417 itself and bypass our limits. Unknown expectations may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const open = answers.get(socket);
    if (!socket.writable || (open && isLast(open)) || error.code === 'ECONNRESET') {
      socket.destroySoon();
      return;
    }
    socket.end(rawAnswer(statusOf[error.code ?? ''] ?? 400, headers));
    // Destroying the connection at once could lose the response.
    socket.setTimeout(GONE_WITHIN_MS, () => socket.destroy());
  });
}

/** Whether the response is still being sent, or has announced that the connection closes after it. */
function isLast(answer: ServerResponse): boolean {
  const closes = !answer.shouldKeepAlive || answer.getHeader('connection') === 'close';
  return answer.headersSent && (closes || !answer.writableFinished);
}

function rawAnswer(status: number, always: Record<string, string>): string {
  const body = JSON.stringify({ message: messages[status], code: codeOf(status) });
  const headers = [
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...Object.entries(always).map(([name, value]) => `${name}: ${value}`),
  ];
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}
