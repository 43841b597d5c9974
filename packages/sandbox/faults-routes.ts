import express, { Router } from 'express';
import type { Faults } from './faults.ts';

/** `POST /faults` adds a fault, `GET` lists the faults in force, `DELETE` removes all. */
export function faultRoutes(faults: Faults): Router {
  const router = Router();
  router.get('/', (_req, res) => {
    res.json(faults.list());
  });
  router.post('/', express.json(), (req, res) => {
    try {
      res.status(201).json(faults.add(Object(req.body)));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      res.status(400).json({ message: error.message });
    }
  });
  router.delete('/', (_req, res) => {
    faults.clear();
    res.status(204).end();
  });
  return router;
}
