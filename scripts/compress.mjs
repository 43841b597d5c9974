import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const text = /\.(?:js|css|svg|webmanifest|txt|xml|json)$/;
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Puts a `.br` and a `.gz` beside every text file of a folder, at the highest level: the server does not compress. */
export async function compressFolder(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => text.test(file));
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(path.join(folder, file));
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      await writeFile(path.join(folder, `${file}.br`), await brotli(content, { params }));
      await writeFile(path.join(folder, `${file}.gz`), await gzipped(content, { level: 9 }));
    }),
  );
}
