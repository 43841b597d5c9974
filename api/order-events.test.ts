import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { expect, test, vi } from 'vitest';
import { createOrderEvents, streamLimits } from './order-events.ts';

test('an order whose status cannot be read is not watched any longer, although the connection is still open', async () => {
  const end = vi.fn();
  const watch = () => ({ ready: Promise.reject(new Error('no database')), end });
  const events = createOrderEvents({ watch, countOf: () => 0, count: () => 0 }, streamLimits);
  const response = Object.assign(new EventEmitter(), { closed: false }) as unknown as Response;

  await expect(events.stream('id', {} as Request, response)).rejects.toThrow('no database');

  expect(end).toHaveBeenCalledOnce();
});
