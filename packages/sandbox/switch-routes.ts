import express, { Router } from 'express';

interface Switchable {
  list(): object[];
  /** @throws RangeError with a message for the caller */
  add(request: Record<string, unknown>): object;
  clear(): void;
}

/** `POST` adds a switch, `GET` lists those in force, `DELETE` removes all. */
export function switchRoutes(switches: Switchable): Router {
  const router = Router();
  router.get('/', (_req, res) => {
    res.json(switches.list());
  });
  router.post('/', express.json(), (req, res) => {
    try {
      res.status(201).json(switches.add(Object(req.body)));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      res.status(400).json({ message: error.message });
    }
  });
  router.delete('/', (_req, res) => {
    switches.clear();
    res.status(204).end();
  });
  return router;
}
