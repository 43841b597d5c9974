import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface RawAnswer {
  /** 0: the connection was closed without an answer. */
  status: number;
  /** Everything received, headers included. */
  text: string;
  /** The error message of a JSON body. */
  message: string | undefined;
  /** Whether the server closed the connection. */
  closed: boolean;
  ms: number;
}

/**
 * Sends bytes that no HTTP client would send, and waits until the server closes the connection, or unless
 * `untilClosed` is silent for `silenceMs` after an answer. Half-closes the socket if no answer has started after `endAfterMs`. Sends `pieces` with
 * pauses in between.
 */
export function sendRaw(
  url: string,
  bytes: string | Uint8Array,
  {
    silenceMs = 300,
    untilClosed = false,
    timeoutMs = 10_000,
    endAfterMs = Number.POSITIVE_INFINITY,
    pieces = 1,
  } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const start = performance.now();
    let text = '';
    const socket = connect(Number(port), hostname);
    const finish = (closed: boolean) => {
      clearTimeout(deadline);
      clearTimeout(halfClose);
      socket.destroy();
      resolve({ ...readAnswer(text), text, closed, ms: performance.now() - start });
    };
    const deadline = setTimeout(() => finish(false), timeoutMs);
    const halfClose = setTimeout(() => text === '' && socket.end(), Math.min(endAfterMs, timeoutMs));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (!untilClosed) socket.setTimeout(silenceMs, () => finish(false));
    });
    // A server that refuses a request may reset the connection without reading the rest.
    socket.on('error', () => {});
    socket.on('end', () => finish(true));
    socket.on('close', () => finish(true));
    void writeInPieces(socket, Buffer.from(bytes), pieces);
  });
}

const PAUSE_MS = 20;

async function writeInPieces(socket: Socket, bytes: Buffer, pieces: number): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let start = 0; start < bytes.length && socket.writable; start += size) {
    if (start > 0) await sleep(PAUSE_MS);
    socket.write(bytes.subarray(start, start + size));
  }
}

function readAnswer(text: string): Pick<RawAnswer, 'status' | 'message'> {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return { status, message: /"message":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] };
}
