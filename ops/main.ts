import { isOutage } from '../infra/outage.ts';
import { processOps } from './parts.ts';
import { createProgram } from './program.ts';
import { CommandError } from './terminal.ts';

/** PgBouncer does not read from a connection that waits for its turn, and would keep it open for two minutes. */
const CLOSE_MS = 1_000;

const words = process.argv.slice(2);
try {
  await createProgram(processOps).parseAsync(words.length > 0 ? words : ['--help'], { from: 'user' });
} catch (error) {
  if (!(error instanceof CommandError) && !isOutage(error)) throw error;
  processOps.terminal.printError(error instanceof Error && error.message ? error.message : String(error));
  process.exitCode = 1;
}
// Not before everything is printed, however slowly it is read.
process.stdout.write('', () => setTimeout(() => process.exit(), CLOSE_MS).unref());
