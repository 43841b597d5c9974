import type { Ops } from '../ops/parts.ts';
import { createProgram } from '../ops/program.ts';
import { CommandError } from '../ops/terminal.ts';
import type { Shop } from './shop.ts';

interface CommandResult {
  code: number;
  out: string;
  err: string;
}

/** Runs an ops command in this process. `answer` is typed at the terminal; without it the terminal is not interactive. */
export async function runOps(
  shop: Pick<Shop, 'workerParts'>,
  words: string[],
  answer?: string | (() => Promise<string>),
): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const before = process.exitCode;
  process.exitCode = undefined;
  const ops: Ops = {
    terminal: {
      interactive: answer !== undefined,
      print: (text) => out.push(text),
      printError: (text) => err.push(text),
      ask: async (question) => {
        err.push(question);
        return typeof answer === 'function' ? answer() : (answer ?? '');
      },
    },
    use: (work) => work(shop.workerParts),
  };
  try {
    const program = createProgram(ops);
    for (const command of [program, ...program.commands, ...program.commands.flatMap((c) => c.commands)]) {
      command.exitOverride();
    }
    await program.parseAsync(words, { from: 'user' });
    return { code: Number(process.exitCode ?? 0), out: out.join('\n'), err: err.join('\n') };
  } catch (error) {
    const usage = (error as { code?: string; exitCode?: number }).exitCode;
    if (!(error instanceof CommandError) && usage === undefined) throw error;
    if (error instanceof CommandError) err.push(error.message);
    return { code: usage ?? 1, out: out.join('\n'), err: err.join('\n') };
  } finally {
    process.exitCode = before;
  }
}
