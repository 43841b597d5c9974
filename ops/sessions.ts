import type { Command } from 'commander';
import { counted } from '../core/text.ts';
import { findUser } from '../db/users.ts';
import { revokeSessions } from '../infra/user-sessions.ts';
import type { Ops } from './parts.ts';
import { CommandError, confirm } from './terminal.ts';

export function addSessionCommands(program: Command, ops: Ops): void {
  program
    .command('sessions')
    .description('sessions of signed-in users')
    .command('revoke')
    .description('ends all sessions of a user')
    .requiredOption('--user <id>', 'user id or e-mail address')
    .option('--yes', 'skip the confirmation prompt')
    .action(({ user: name, ...options }: { user: string; yes?: boolean }) =>
      ops.use(async ({ config, db }) => {
        const user = await findUser(db, name);
        if (!user) throw new CommandError(`User ${name} not found`);
        await confirm(ops.terminal, options, `This ends all sessions of ${user.email ?? user.id}.`);
        const ended = await revokeSessions({ ...config, db }, user.id);
        ops.terminal.print(`${counted(ended, 'session')} ended`);
      }),
    );
}
