import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Message } from './drafts.ts';

export interface Answer {
  /** 0: no answer. */
  status: number;
  type: string;
  text: string;
  ms: number;
  failure?: string;
}

/** An answer that takes longer counts as a hang. */
export const HANG_MS = 5_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends the request and reads its answer; of an event stream only the first chunk. */
export function send(url: string, { method, path, headers, body }: Message): Promise<Answer> {
  const start = performance.now();
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const finish = (answer: Omit<Answer, 'ms'>) => {
      clearTimeout(hang);
      resolve({ ...answer, ms: performance.now() - start });
    };
    const options = { hostname, port, method, path, headers, agent };
    const outgoing = request(options, (incoming) => {
      const { statusCode: status = 0, headers: answered } = incoming;
      const type = answered['content-type'] ?? '';
      const chunks: Buffer[] = [];
      const done = () =>
        finish({ status, type, text: unpack(Buffer.concat(chunks), answered['content-encoding']) });
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (!type.startsWith('text/event-stream')) return;
        done();
        outgoing.destroy();
      });
      incoming.on('end', done);
      incoming.on('error', done);
    });
    const hang = setTimeout(() => outgoing.destroy(new Error('hang')), HANG_MS);
    outgoing.on('error', (error) => finish({ status: 0, type: '', text: '', failure: error.message }));
    outgoing.end(body);
  });
}

function unpack(bytes: Buffer, encoding: string | undefined): string {
  if (bytes.length === 0) return '';
  if (encoding === 'gzip') return gunzipSync(bytes).toString();
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return bytes.toString();
}
