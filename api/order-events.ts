import type { Request, Response } from 'express';
import type { OrderStatusEvent } from '../core/orders.ts';
import { findOrder, type Order } from '../db/orders.ts';
import type { ApiParts } from './parts.ts';

const HEARTBEAT_MS = 20_000;

/**
 * Server-Sent Events of one order: its status now and after each committed change. Every notification reads the row, so
 * events may be merged but are never stale. Subscribing comes before reading, so that no change is missed.
 */
export function streamOrder({ db, orderStream }: ApiParts, order: Order, req: Request, res: Response): void {
  let last = '';
  let reading = false;
  let readAgain = false;

  const send = (current: Order) => {
    const data = JSON.stringify(toStatusEvent(current));
    if (data === last || res.writableEnded) return;
    last = data;
    res.write(`event: status\ndata: ${data}\n\n`);
  };

  const refresh = async () => {
    if (reading) {
      readAgain = true;
      return;
    }
    reading = true;
    do {
      readAgain = false;
      const current = await findOrder(db, order.id).catch((error: unknown) => {
        req.log.warn({ err: error }, 'reading order status failed');
        return undefined;
      });
      if (current) send(current);
    } while (readAgain);
    reading = false;
  };

  const unsubscribe = orderStream.subscribe(order.id, (notification) => {
    if (notification === 'closing') res.end();
    else void refresh();
  });
  // Reads too: a notification is lost when its process dies before sending it.
  const heartbeat = setInterval(() => {
    res.write(': heartbeat\n\n');
    void refresh();
  }, HEARTBEAT_MS);
  res.on('close', () => {
    unsubscribe();
    clearInterval(heartbeat);
  });

  res.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  res.flushHeaders();
  res.write('retry: 2000\n\n');
  send(order);
  void refresh();
}

function toStatusEvent(order: Order): OrderStatusEvent {
  const { id, status, amountRefunded, failureReason } = order;
  return { id, status, amountRefunded, failureReason, paidAt: order.paidAt?.toISOString() ?? null };
}
