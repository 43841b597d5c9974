import { freePort } from '@querywright/sandbox/listen';
import { judgeOrder } from '../model/judge.ts';
import { newModel } from '../model/model.ts';
import { untilAtRest } from '../model/rest.ts';
import { newWorld, refresh } from '../model/world.ts';
import { type ProcessName, startProcess } from '../processes.ts';
import type { Shop } from '../shop.ts';
import { stories } from './stories.ts';

export interface Pair {
  story: string;
  role: ProcessName;
  point: string;
}

interface CrashResult {
  reached: boolean;
  violations: string[];
}

const REST_MS = 90_000;

/** Kills one process at the point during the story, lets another one take over, and judges the outcome. */
export async function crashOnce(shop: Shop, { story, role, point }: Pair): Promise<CrashResult> {
  const port = await freePort();
  const doomed = await startProcess(role, {
    DATABASE_URL: shop.config.databaseUrl,
    QUEUE_PREFIX: shop.config.queuePrefix,
    SANDBOX_PORT: String(shop.sandbox.port),
    SANDBOX_SMTP_PORT: String(shop.sandbox.smtpPort),
    PORT: String(port),
    CRASH_AT: point,
  });
  const doomedUrl = `http://localhost:${port}`;
  let worker = role === 'web' ? shop.startWorker() : undefined;
  shop.sandbox.config.siteUrl = role === 'web' ? doomedUrl : shop.url;
  let reached = false;
  let isOver = false;
  const died = doomed.untilExit().then(() => {
    if (isOver) return;
    reached = true;
    shop.sandbox.config.siteUrl = shop.url;
    worker ??= shop.startWorker();
  });

  const model = newModel();
  const world = newWorld({ shop: role === 'web' ? { ...shop, url: doomedUrl } : shop, doomed });
  try {
    for (const act of stories[story] ?? []) {
      await act(model, world).catch(async () => {
        await died;
        world.shop = shop;
        await act(model, world);
      });
      if (reached) world.shop = shop;
      refresh(model, shop);
    }
    return { violations: [...world.violations, ...(await judge())], reached };
  } finally {
    isOver = true;
    await doomed.kill();
    await worker?.close();
    shop.sandbox.faults.clear();
    shop.sandbox.behaviors.clear();
  }

  async function judge(): Promise<string[]> {
    const { orderId } = model;
    if (!orderId) return ['no order came about'];
    const ids = model.payments.map(({ id }) => id);
    const open = await untilAtRest(shop, orderId, ids, REST_MS);
    if (open.length > 0) return open.map((what) => `never done: ${what}`);
    refresh(model, shop);
    return judgeOrder(shop, orderId, model);
  }
}
