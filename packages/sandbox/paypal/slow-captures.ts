import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'express';
import type { Behaviors } from '../behaviors.ts';
import { PayPalApiError } from './errors.ts';
import type { StoredReply } from './state.ts';

interface Running {
  requestId: string | undefined;
  reply: Promise<StoredReply>;
  /** The status for another capture with the same request id. */
  conflict: string | undefined;
}

/** Captures that take their time, and the ones that arrive meanwhile. */
export class SlowCaptures {
  readonly #behaviors: Behaviors;
  readonly #running = new Map<string, Running>();

  constructor(behaviors: Behaviors) {
    this.#behaviors = behaviors;
  }

  async take(req: Request, answer: () => StoredReply): Promise<StoredReply> {
    const orderId = String(req.params.id);
    const requestId = req.get('paypal-request-id');
    const first = this.#running.get(orderId);
    if (first) {
      if (first.conflict && first.requestId === requestId) return conflict(first.conflict);
      await first.reply;
      return answer();
    }
    const concurrent = this.#behaviors.consume('paypal-concurrent-capture', orderId);
    const slow = concurrent ?? this.#behaviors.consume('paypal-slow-capture', orderId);
    if (!slow) return answer();
    // The work is done at the end, even if the caller has hung up.
    const reply = sleep(slow.ms, undefined, { ref: false }).then(() => {
      this.#running.delete(orderId);
      return answer();
    });
    this.#running.set(orderId, { requestId, reply, conflict: concurrent?.value });
    return reply;
  }
}

const conflicts: Record<string, () => PayPalApiError> = {
  409: () => new PayPalApiError(409, { issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }),
  422: () => new PayPalApiError(422, { issue: 'ORDER_COMPLETION_IN_PROGRESS' }),
};

function conflict(status: string): StoredReply {
  const error = conflicts[status]?.() ?? new PayPalApiError(500);
  return { status: error.status, body: JSON.stringify(error.body) };
}
