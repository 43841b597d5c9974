import type { Request, Response } from 'express';
import { expect, test, vi } from 'vitest';
import type { ReadinessReport } from '../core/health.ts';
import { readiness, readinessHandler } from './readiness.ts';

test('simultaneous requests share one check; the next one checks again', async () => {
  const reports: ((report: ReadinessReport) => void)[] = [];
  const handler = readinessHandler(() => new Promise((resolve) => reports.push(resolve)));
  const asked = [ask(handler), ask(handler), ask(handler)];
  expect(reports).toHaveLength(1);
  reports[0]?.({ status: 'ready', missing: [], checks: {} });
  expect(await Promise.all(asked)).toEqual([200, 200, 200]);

  const next = ask(handler);
  expect(reports).toHaveLength(2);
  reports[1]?.({ status: 'not ready', missing: ['database'], checks: {} });
  expect(await next).toBe(503);
});

test('a dependency that does not answer within 1.5 s is missing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const report = readiness({ database: async () => {} }, { queue: () => new Promise(() => {}) });
  await vi.advanceTimersByTimeAsync(1_500);
  vi.useRealTimers();
  expect(await report).toEqual({
    status: 'degraded',
    missing: ['queue'],
    checks: { database: 'ok', queue: 'unreachable' },
  });
});

/** The status of the answer. */
function ask(handler: ReturnType<typeof readinessHandler>): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    const res = {
      set: () => res,
      status: (code: number) => {
        status = code;
        return res;
      },
      json: () => resolve(status),
    };
    handler({} as Request, res as unknown as Response, () => {});
  });
}
