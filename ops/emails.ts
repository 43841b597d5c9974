import type { Command } from 'commander';
import { type EmailRecord, findEmail, listFailedEmails, resendEmail } from '../db/emails.ts';
import { parseCount } from './arguments.ts';
import { commit, type Ops } from './parts.ts';
import { table } from './table.ts';
import { confirm, Refusal } from './terminal.ts';

/** `emails …`: mails that did not go out, or have to go out again. */
export function addEmailCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  const emails = program.command('emails').description('mails that did not go out');

  emails
    .command('failed')
    .description('the mails that the mail server refused, or whose job was given up')
    .option('--limit <count>', 'how many', parseCount, 50)
    .option('--json', 'for scripts')
    .action(({ json, limit }: { json?: boolean; limit: number }) =>
      ops.use(async ({ db }) => {
        const failed = await listFailedEmails(db, limit);
        if (json) terminal.print(JSON.stringify(failed, null, 2));
        else terminal.print(failed.length === 0 ? 'No mail failed' : describe(failed));
      }),
    );

  emails
    .command('resend')
    .description('sends one mail (again), to whom the database says now')
    .argument('<id>', 'mail id')
    .option('--yes', 'without asking')
    .action((id: string, options: { yes?: boolean }) =>
      ops.use(async ({ db }) => {
        const email = /^\d{1,18}$/.test(id) ? await findEmail(db, id) : undefined;
        if (!email) throw new Refusal(`There is no mail ${id}`);
        const again = email.status === 'sent' ? ' once more' : '';
        await confirm(terminal, options, `This sends ${email.kind} of ${email.dedupeKey}${again}.`);
        if (!(await commit(db, (trx) => resendEmail(trx, id)))) {
          throw new Refusal(`The mail is on its way already (${email.status})`);
        }
        terminal.print('Handed to the workers');
      }),
    );
}

function describe(emails: EmailRecord[]): string {
  return table(
    ['id', 'written', 'mail', 'of', 'status', 'attempts', 'last error'],
    emails.map((e) => [e.id, e.createdAt, e.kind, e.dedupeKey, e.status, e.attempts, e.lastError]),
  );
}
