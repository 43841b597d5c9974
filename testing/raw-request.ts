import { connect } from 'node:net';

export interface RawAnswer {
  /** 0: the connection was closed without an answer. */
  status: number;
  /** The first answer, headers and all. */
  text: string;
  /** Of its body, if that is JSON. */
  message: string | undefined;
  /** Whether the server ended the connection. */
  closed: boolean;
  ms: number;
}

/**
 * Sends bytes as they are, which no HTTP client would, and waits until the server closes the connection or has been
 * silent for `silenceMs` after an answer. Where no answer has begun after `endAfterMs` it says that nothing more will come.
 */
export function sendRaw(
  url: string,
  bytes: string | Uint8Array,
  { silenceMs = 300, giveUpMs = 10_000, endAfterMs = Number.POSITIVE_INFINITY } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const start = performance.now();
    let text = '';
    const socket = connect(Number(port), hostname);
    const finish = (closed: boolean) => {
      clearTimeout(deadline);
      clearTimeout(impatience);
      socket.destroy();
      resolve({ ...readAnswer(text), text, closed, ms: performance.now() - start });
    };
    const deadline = setTimeout(() => finish(false), giveUpMs);
    const impatience = setTimeout(() => text === '' && socket.end(), Math.min(endAfterMs, giveUpMs));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      socket.setTimeout(silenceMs, () => finish(false));
    });
    // A server that has refused may not read the rest: that is its answer, not our failure.
    socket.on('error', () => {});
    socket.on('end', () => finish(true));
    socket.on('close', () => finish(true));
    socket.write(bytes);
  });
}

function readAnswer(text: string): Pick<RawAnswer, 'status' | 'message'> {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return { status, message: /"message":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] };
}
