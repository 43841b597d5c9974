import path from 'node:path';
import express, { Router } from 'express';
import { packageFolder } from './package-folder.ts';

/** Serves a folder of this package to pages of any site, and its `script` at the path of the provider's script. */
export function browserFiles(folder: string, address: string, script: string): Router {
  const root = path.join(packageFolder, folder);
  const router = Router();
  router.use((_req, res, next) => {
    res.set({ 'Cross-Origin-Resource-Policy': 'cross-origin', 'Cache-Control': 'no-cache' });
    next();
  });
  router.get(address, (_req, res) => {
    res.type('js').sendFile(script, { root });
  });
  router.use(express.static(root, { index: false }));
  return router;
}
