import { Command } from 'commander';
import { addDoctorCommand } from './doctor.ts';
import { addEmailCommands } from './emails.ts';
import { addEventCommands } from './events.ts';
import { addJobCommands } from './jobs.ts';
import { addMessageCommands } from './messages.ts';
import { addNewsletterCommands } from './newsletter.ts';
import { addOrderCommands } from './order.ts';
import { addOutboxCommands } from './outbox.ts';
import type { Ops } from './parts.ts';
import { addPersonCommands } from './person.ts';
import { addReconcileCommand } from './reconcile.ts';
import { addRestoreCommand } from './restore.ts';
import { addRetentionCommand } from './retention.ts';
import { addSessionCommands } from './sessions.ts';
import { addTransferCommands } from './transfers.ts';
import { addWebhookCommands } from './webhooks.ts';

/** `npm run ops -- …`. Lists its commands if none is given. */
export function createProgram(ops: Ops): Command {
  const program = new Command('ops')
    .description('Inspect and repair the order pipeline')
    .addHelpText(
      'after',
      '\nRead commands accept --json. Commands that send or change ask first, or take --yes.' +
        '\nExit code 0: done, 1: refused, failed or not found, 2: there are differences.',
    )
    .helpCommand(false)
    .configureHelp({ visibleCommands: leavesOf, subcommandTerm: callOf })
    .configureOutput({
      writeOut: (text) => ops.terminal.print(text.trimEnd()),
      writeErr: (text) => ops.terminal.printError(text.trimEnd()),
    });
  addDoctorCommand(program, ops);
  addOrderCommands(program, ops);
  addEventCommands(program, ops);
  addJobCommands(program, ops);
  addEmailCommands(program, ops);
  addTransferCommands(program, ops);
  addOutboxCommands(program, ops);
  addMessageCommands(program, ops);
  addNewsletterCommands(program, ops);
  addPersonCommands(program, ops);
  addReconcileCommand(program, ops);
  addRestoreCommand(program, ops);
  addRetentionCommand(program, ops);
  addSessionCommands(program, ops);
  addWebhookCommands(program, ops);
  return program;
}

/** The commands that do something, at any depth. */
function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leavesOf(child) : [child]));
}

function callOf(command: Command): string {
  const group = command.parent?.parent ? `${command.parent.name()} ` : '';
  return `${group}${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim();
}
