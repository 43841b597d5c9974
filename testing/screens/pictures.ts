import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { utils } from 'playwright-core/lib/coreBundle';
import { PNG } from 'playwright-core/lib/utilsBundle';
import type { RunnerTask } from 'vitest';
import { afterAll, afterEach, expect } from 'vitest';

const folder = path.join(import.meta.dirname, 'pictures');
const failures = path.resolve('screenshots');
const isRenewing = process.env.RENEW_SCREENS === '1';

/** Smoothed edges may differ a little between processors; a word or a border that moves is more than this. */
const tolerance = { threshold: 0.1, maxDiffPixels: 30 };

const MAX_SHOTS = 8;

interface Album {
  /** Fails if what is seen differs from the picture of this name, or stores it when the pictures are renewed. */
  expectSame(name: string, shoot: () => Promise<Buffer>): Promise<void>;
}

/** One test file's pictures. Pictures that no test asked for fail it, or are deleted when renewing. */
export function openAlbum(album: string): Album {
  const asked = new Set<string>();
  const pictures = path.join(folder, album);
  let tasks: RunnerTask[] | undefined;
  afterEach(({ task }) => {
    tasks = task.file.tasks;
  });
  afterAll(async () => {
    if (!tasks?.every(hasPassed)) return;
    const others = (await readdir(pictures)).filter((file) => !asked.has(file));
    if (isRenewing) await Promise.all(others.map((file) => rm(path.join(pictures, file))));
    else expect(others).toEqual([]);
  });
  return {
    async expectSame(name, shoot) {
      const file = `${name}.webp`;
      asked.add(file);
      const stored = await readFile(path.join(pictures, file)).catch(() => undefined);
      const { png, actual, difference } = await shootUntilSame(shoot, stored);
      if (stored && !difference) return;
      if (isRenewing) return write(path.join(pictures, file), actual);
      const kept = path.join(failures, album, name);
      await write(`${kept}.png`, png);
      if (difference?.diff) await write(`${kept}-difference.png`, difference.diff);
      const what = difference?.errorMessage ?? 'There is no such picture yet.';
      expect.fail(`${what} See ${kept}.png; if it is right: npm run test:screens -- --renew`);
    },
  };
}

function hasPassed(task: RunnerTask): boolean {
  return task.type === 'suite' ? task.tasks.every(hasPassed) : task.result?.state === 'pass';
}

const compare = utils.getComparator('image/webp');

/** Takes screenshots until one equals the stored picture, or they stop changing. */
async function shootUntilSame(shoot: () => Promise<Buffer>, stored: Buffer | undefined) {
  let before: Buffer | undefined;
  for (let tries = 1; ; tries++) {
    const png = await shoot();
    const actual = compress(png);
    const difference = stored && compare(actual, stored, tolerance);
    const isStill = before !== undefined && actual.equals(before);
    if (difference === null || isStill || tries === MAX_SHOTS) return { png, actual, difference };
    before = actual;
  }
}

/** Lossless, with 64 levels per channel: smaller, without a visible difference. */
function compress(png: Buffer): Buffer {
  const { width, height, data } = PNG.sync.read(png);
  const coarse = Buffer.from(data.map((value) => Math.round((Math.round((value / 255) * 63) * 255) / 63)));
  return utils.encodeWebp({ width, height, data: coarse }, { lossless: true });
}

async function write(file: string, content: Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}
