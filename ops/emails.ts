import type { Command } from 'commander';
import { ROW_ID } from '../core/text.ts';
import { dismissEmail, type EmailRecord, findEmail, listFailedEmails, resendEmail } from '../db/emails.ts';
import { parseCount } from './arguments.ts';
import { commit, type Ops } from './parts.ts';
import { table } from './table.ts';
import { CommandError, confirm } from './terminal.ts';

export function addEmailCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  const emails = program.command('emails').description('failed e-mails');

  emails
    .command('failed')
    .description('lists e-mails that were refused or whose job is dead')
    .option('--limit <count>', 'max rows', parseCount, 50)
    .option('--json', 'print JSON')
    .action(({ json, limit }: { json?: boolean; limit: number }) =>
      ops.use(async ({ db }) => {
        const failed = await listFailedEmails(db, limit);
        if (json) terminal.print(JSON.stringify(failed, null, 2));
        else terminal.print(failed.length === 0 ? 'No failed e-mails' : describe(failed));
      }),
    );

  emails
    .command('resend')
    .description('sends one e-mail again, to the current recipient')
    .argument('<id>', 'e-mail id')
    .option('--yes', 'skip the confirmation prompt')
    .action((id: string, options: { yes?: boolean }) =>
      ops.use(async ({ db }) => {
        const email = ROW_ID.test(id) ? await findEmail(db, id) : undefined;
        if (!email) throw new CommandError(`E-mail ${id} not found`);
        const again = email.status === 'sent' ? ' again' : '';
        await confirm(terminal, options, `This sends ${email.kind} (${email.dedupeKey})${again}.`);
        if (!(await commit(db, (trx) => resendEmail(trx, id)))) {
          throw new CommandError(`E-mail ${id} is still on its way (${email.status})`);
        }
        terminal.print('Queued');
      }),
    );

  emails
    .command('dismiss')
    .description('ends a refused e-mail that is not to be sent again')
    .argument('<id>', 'e-mail id')
    .requiredOption('--reason <text>', 'stored with it')
    .option('--yes', 'skip the confirmation prompt')
    .action((id: string, { reason, ...options }: { reason: string; yes?: boolean }) =>
      ops.use(async ({ db }) => {
        await confirm(terminal, options, `This dismisses the e-mail ${id}.`);
        if (!ROW_ID.test(id) || !(await dismissEmail(db, id, reason)))
          throw new CommandError(`E-mail ${id} not found, or not refused`);
        terminal.print('Dismissed');
      }),
    );
}

function describe(emails: EmailRecord[]): string {
  return table(
    ['id', 'created', 'kind', 'key', 'status', 'attempts', 'last error'],
    emails.map((e) => [e.id, e.createdAt, e.kind, e.dedupeKey, e.status, e.attempts, e.lastError]),
  );
}
