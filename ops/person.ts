import type { Command } from 'commander';
import { erasePerson, exportPerson } from '../db/people.ts';
import { findUser } from '../db/users.ts';
import { revokeSessions } from '../infra/user-sessions.ts';
import { commit, type Ops } from './parts.ts';
import { CommandError, confirm } from './terminal.ts';

export function addPersonCommands(program: Command, ops: Ops): void {
  const person = program.command('person').description('what is stored about a person');
  person
    .command('export')
    .description('prints everything that is stored about this address, as JSON')
    .argument('<e-mail>')
    .action((email: string) =>
      ops.use(async ({ db }) => {
        ops.terminal.print(JSON.stringify(await exportPerson(db, address(email)), null, 2));
      }),
    );
  person
    .command('erase')
    .description('erases this address and its owner, except paid and open orders')
    .argument('<e-mail>')
    .option('--yes', 'skip the confirmation prompt')
    .action((email: string, options: { yes?: boolean }) =>
      ops.use(async ({ config, db }) => {
        const user = await findUser(db, address(email));
        await confirm(ops.terminal, options, `This permanently erases what is stored about ${email}.`);
        if (user) await revokeSessions({ ...config, db }, user.id);
        ops.terminal.print(JSON.stringify(await commit(db, (trx) => erasePerson(trx, email)), null, 2));
      }),
    );
}

function address(email: string): string {
  if (!email.includes('@')) throw new CommandError(`${email} is not an e-mail address`);
  return email;
}
