import { describeFailure } from './failure.ts';
import { processOps } from './parts.ts';
import { createProgram } from './program.ts';

/** PgBouncer does not read from a queued connection, and would keep it open for two minutes. */
const CLOSE_MS = 1_000;

const words = process.argv.slice(2);
try {
  await createProgram(processOps).parseAsync(words.length > 0 ? words : ['--help'], { from: 'user' });
} catch (error) {
  const failure = describeFailure(error);
  if (failure === undefined) throw error;
  processOps.terminal.printError(failure);
  process.exitCode = 1;
}
// Exit only after everything is printed, however slow the reader.
process.stdout.write('', () => setTimeout(() => process.exit(), CLOSE_MS).unref());
