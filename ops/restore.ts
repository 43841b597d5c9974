import type { Command } from 'commander';
import { listJobsWithoutOrder } from '../db/dead-jobs.ts';
import { findOrderByPayment } from '../db/orders.ts';
import { ORDER_NOT_FOUND } from '../orders/apply-payment-event.ts';
import { findDifferences } from '../orders/find-differences.ts';
import { parseMoment } from './arguments.ts';
import { describeFindings, type Finding } from './findings.ts';
import type { Ops, OpsParts } from './parts.ts';
import { adviceFor, adviceForEvent } from './restore-advice.ts';

export function addRestoreCommand(program: Command, { terminal, use }: Ops): void {
  program
    .command('restore')
    .description('after a restore')
    .command('check')
    .description('lists what the providers know and the restored database does not, each with its command')
    .requiredOption(
      '--since <time>',
      'somewhat before the backup, such as 2026-11-20T08:00Z, 36h or 7d',
      (text) => parseMoment(text),
    )
    .option('--json', 'print JSON')
    .action(({ since, json }: { since: Date; json?: boolean }) =>
      use(async (parts) => {
        const findings = await examine(parts, since);
        if (findings.some(({ state }) => state !== 'ok')) process.exitCode = 2;
        terminal.print(json ? JSON.stringify(findings, null, 2) : describeFindings(findings));
      }),
    );
}

async function examine(parts: OpsParts, since: Date): Promise<Finding[]> {
  const findings: Finding[] = [];
  const lost = new Set<string>();
  for await (const difference of findDifferences(parts, since)) {
    if (difference.kind === 'order missing' && difference.paymentId) lost.add(difference.paymentId);
    findings.push(adviceFor(difference));
  }
  for (const job of await listJobsWithoutOrder(parts.db, ORDER_NOT_FOUND)) {
    const { lastError } = job;
    const paymentId = lastError.slice(lastError.indexOf(ORDER_NOT_FOUND) + ORDER_NOT_FOUND.length).trim();
    if (lost.has(paymentId)) continue;
    const order = await findOrderByPayment(parts.db, paymentId);
    // The job's next retry applies the event.
    if (order && !job.isDead) continue;
    findings.push({ check: paymentId, state: 'problem', ...adviceForEvent(job.id, order !== undefined) });
  }
  if (findings.length > 0) return findings;
  return [{ check: 'restore', state: 'ok', found: `both sides agree since ${since.toISOString()}` }];
}
