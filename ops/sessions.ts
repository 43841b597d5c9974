import type { Command } from 'commander';
import { findUserByName } from '../db/users.ts';
import { revokeSessions } from '../infra/sessions.ts';
import type { Ops } from './parts.ts';
import { confirm, Refusal } from './terminal.ts';

/** `sessions …`: who is signed in. */
export function addSessionCommands(program: Command, ops: Ops): void {
  program
    .command('sessions')
    .description('who is signed in')
    .command('revoke')
    .description('signs a user out everywhere')
    .requiredOption('--user <id>', 'user id or e-mail address')
    .option('--yes', 'without asking')
    .action(({ user: name, ...options }: { user: string; yes?: boolean }) =>
      ops.use(async ({ config, db }) => {
        const user = await findUserByName(db, name);
        if (!user) throw new Refusal(`There is no user ${name}`);
        await confirm(ops.terminal, options, `This signs ${user.email ?? user.id} out everywhere.`);
        const ended = await revokeSessions({ ...config, db }, user.id);
        ops.terminal.print(`${ended} sessions ended`);
      }),
    );
}
