import { Command } from 'commander';
import { addEmailCommands } from './emails.ts';
import { addEventCommands } from './events.ts';
import { addJobCommands } from './jobs.ts';
import { addNewsletterCommands } from './newsletter.ts';
import { addOrderCommands } from './order.ts';
import { addOutboxCommands } from './outbox.ts';
import type { Ops } from './parts.ts';
import { addReconcileCommand } from './reconcile.ts';
import { addSessionCommands } from './sessions.ts';

/** `npm run ops -- …`: what an operator asks and does. Alone it lists its commands. */
export function createProgram(ops: Ops): Command {
  const program = new Command('ops')
    .description('Looks into the order pipeline, and mends it')
    .addHelpText(
      'after',
      '\nWhat lists or shows takes --json, for scripts. What sends or changes asks first, or takes --yes.' +
        '\nExit code 0: done, 1: refused, failed or not there, 2: there are differences.',
    )
    .helpCommand(false)
    .configureHelp({ visibleCommands: leavesOf, subcommandTerm: callOf })
    .configureOutput({
      writeOut: (text) => ops.terminal.print(text.trimEnd()),
      writeErr: (text) => ops.terminal.complain(text.trimEnd()),
    });
  addOrderCommands(program, ops);
  addEventCommands(program, ops);
  addJobCommands(program, ops);
  addEmailCommands(program, ops);
  addOutboxCommands(program, ops);
  addNewsletterCommands(program, ops);
  addReconcileCommand(program, ops);
  addSessionCommands(program, ops);
  return program;
}

/** Every command that does something, however deep: one list tells all. */
function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leavesOf(child) : [child]));
}

function callOf(command: Command): string {
  const group = command.parent?.parent ? `${command.parent.name()} ` : '';
  return `${group}${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim();
}
