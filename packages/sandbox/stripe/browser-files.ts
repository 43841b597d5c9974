import path from 'node:path';
import express, { Router } from 'express';
import { packageFolder } from '../package-folder.ts';

const folder = path.join(packageFolder, 'stripe/browser');

/** `/stripe/v3/`: the script, and the frame with the card fields. */
export function stripeBrowserFiles(): Router {
  const router = Router();
  router.use((_req, res, next) => {
    res.set({ 'Cross-Origin-Resource-Policy': 'cross-origin', 'Cache-Control': 'no-cache' });
    next();
  });
  router.get('/', (_req, res) => {
    res.type('js').sendFile('stripe.js', { root: folder });
  });
  router.use(express.static(folder, { index: false }));
  return router;
}
