import { brotliCompressSync, gzipSync } from 'node:zlib';

const compressors = { br: brotliCompressSync, gzip: gzipSync };

/** Compresses a page on its first request: compressing all of them twice would take a third of the startup time. */
export function compressOnce(html: string): (encoding: 'br' | 'gzip') => Buffer {
  const kept: { br?: Buffer; gzip?: Buffer } = {};
  return (encoding) => {
    kept[encoding] ??= compressors[encoding](html);
    return kept[encoding];
  };
}
