import type { Command } from 'commander';
import { verifyMailServer } from '../infra/mailer.ts';
import { check, ok } from './doctor/check.ts';
import { checkClocks } from './doctor/clock.ts';
import { checkConnections, checkOutbox, checkSchema, checkServer } from './doctor/database.ts';
import { probeQueue } from './doctor/queue.ts';
import { judgeSettings } from './doctor/settings.ts';
import { describeFindings, type Finding, hasProblem } from './findings.ts';
import type { Ops, OpsParts } from './parts.ts';
import { checkWebhooks } from './webhook-check.ts';

export function addDoctorCommand(program: Command, ops: Ops): void {
  program
    .command('doctor')
    .description('checks settings, database, queue, workers, webhooks, mail server and clocks')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      ops.use(async (parts) => {
        const findings = await examine(parts);
        ops.terminal.print(json ? JSON.stringify(findings, null, 2) : describeFindings(findings));
        if (hasProblem(findings)) process.exitCode = 1;
      }),
    );
}

async function examine(parts: OpsParts): Promise<Finding[]> {
  const { config, db } = parts;
  const queue = probeQueue(config);
  const network = 'check the address, the password and the network';
  try {
    const findings = await Promise.all([
      check('settings', '', async () => judgeSettings(config)),
      check('database', network, () => checkServer(db)),
      check('schema', network, () => checkSchema(db)),
      check('connections', network, () => checkConnections(db, config, queue.countWorkers)),
      check('queue', network, queue.check),
      check('workers', network, queue.checkWorkers),
      check('outbox', network, () => checkOutbox(db)),
      checkWebhooks(parts).then((checks) => checks.flatMap(namedWebhooks)),
      check('mail', 'check SMTP_URL: address, user, password, TLS', async () => {
        await verifyMailServer(config.mail);
        return ok(`${new URL(config.mail.smtpUrl).host} accepts our login`);
      }),
      check('clock', network, () => checkClocks(db, config)),
    ]);
    return findings.flat();
  } finally {
    await queue.close();
  }
}

function namedWebhooks({ provider, findings }: { provider: string; findings: Finding[] }): Finding[] {
  return findings.map((finding) => ({ ...finding, check: `webhooks: ${provider}` }));
}
