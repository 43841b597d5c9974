import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Queue } from 'bullmq';
import { type RequestHandler, Router } from 'express';
import { queueNames } from '../core/jobs.ts';
import type { Outbox } from './outbox.ts';
import { QueueUnreachable } from './queue.ts';

/** bull-board's pages: beside the built programs, otherwise in its package. */
const pages = ['../queue-dashboard', '../node_modules/@bull-board/ui']
  .map((folder) => path.resolve(import.meta.dirname, folder))
  .find((folder) => existsSync(folder));

/**
 * bull-board over our queues, on either backend. Read-only, because the outbox row decides about a job (`npm run ops`).
 * Loaded at the first visit: it is large, and a queue cannot be opened while there is no connection.
 */
export function queueDashboard(outbox: Outbox): Router {
  let board: RequestHandler | undefined;
  const router = Router();
  router.use(async function showQueues(req, res, next) {
    try {
      board ??= await build(outbox, req.baseUrl);
    } catch (error) {
      if (!(error instanceof QueueUnreachable)) throw error;
      res.status(503).json({ message: 'The queue is not connected; try again in a moment' });
      return;
    }
    board(req, res, next);
  });
  return router;
}

async function build(outbox: Outbox, basePath: string): Promise<RequestHandler> {
  const { createBullBoard } = await import('@bull-board/api');
  const { BullMQAdapter } = await import('@bull-board/api/bullMQAdapter');
  const { ExpressAdapter } = await import('@bull-board/express');
  const server = new ExpressAdapter().setBasePath(basePath);
  createBullBoard({
    // The product's JobQueue type hides most of BullMQ's Queue; the dashboard needs all of it.
    queues: queueNames.map((name) => new BullMQAdapter(outbox.queue(name) as Queue, { readOnlyMode: true })),
    serverAdapter: server,
    options: {
      ...(pages ? { uiBasePath: pages } : {}),
      uiConfig: { boardTitle: 'Querywright', hideRedisDetails: false },
    },
  });
  return server.getRouter() as RequestHandler;
}
