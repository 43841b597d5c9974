import { brotliCompressSync, gzipSync } from 'node:zlib';

const compressors = { br: brotliCompressSync, gzip: gzipSync };

/** Compresses a page when it is first asked for: all of them in both encodings would take a third of a process's start. */
export function compressOnce(html: string): (encoding: 'br' | 'gzip') => Buffer {
  const kept: { br?: Buffer; gzip?: Buffer } = {};
  return (encoding) => {
    kept[encoding] ??= compressors[encoding](html);
    return kept[encoding];
  };
}
