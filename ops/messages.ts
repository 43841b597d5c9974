import type { Command } from 'commander';
import { counted } from '../core/text.ts';
import { markMessagesAnswered } from '../db/desk-people.ts';
import { parseMoment } from './arguments.ts';
import type { Ops } from './parts.ts';
import { confirm } from './terminal.ts';

/** `messages …`: messages of the contact form. */
export function addMessageCommands(program: Command, ops: Ops): void {
  program
    .command('messages')
    .description('messages of the contact form')
    .command('answered')
    .description('marks older messages as answered, such as those from before the desk')
    .requiredOption('--before <time>', 'a time such as 2026-11-20T08:00Z, or an age such as 7d', (text) =>
      parseMoment(text),
    )
    .option('--yes', 'skip the confirmation prompt')
    .action(({ before, ...options }: { before: Date; yes?: boolean }) =>
      ops.use(async ({ db }) => {
        await confirm(ops.terminal, options, `This marks every message before ${before.toISOString()}.`);
        const marked = await markMessagesAnswered(db, before);
        ops.terminal.print(`${counted(marked, 'message')} marked as answered`);
      }),
    );
}
