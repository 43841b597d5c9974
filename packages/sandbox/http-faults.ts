import type { Response } from 'express';
import { delay, type Fault } from './faults.ts';

const MAX_SILENCE_MS = 120_000;

interface FaultyExchange<Answer> {
  work(): Answer;
  send(answer: Answer): void;
  failure(status: number): Answer;
}

/** Applies a fault to one call of a provider's API. */
export async function applyFault<Answer>(
  fault: Fault,
  res: Response,
  { work, send, failure }: FaultyExchange<Answer>,
): Promise<void> {
  if (fault.mode === 'slow') {
    const early = fault.when === 'after' ? work() : undefined;
    await delay(fault);
    return send(early ?? work());
  }
  if (fault.when === 'after') work();
  if (fault.mode === 'error') {
    if (fault.ms) await delay(fault);
    return send(failure(fault.code ?? 500));
  }
  if (fault.mode === 'timeout') {
    const hungUp = new AbortController();
    res.on('close', () => hungUp.abort());
    await delay({ ...fault, ms: fault.ms ?? MAX_SILENCE_MS }, hungUp.signal);
  }
  res.req.socket.resetAndDestroy();
}
