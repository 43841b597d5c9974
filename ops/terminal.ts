import { createInterface } from 'node:readline/promises';

export interface Terminal {
  interactive: boolean;
  print(text: string): void;
  printError(text: string): void;
  ask(question: string): Promise<string>;
}

/** Results go to stdout, questions and errors to stderr: stdout can be piped. */
export const processTerminal: Terminal = {
  interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  print: (text) => {
    process.stdout.write(`${text}\n`);
  },
  printError: (text) => {
    process.stderr.write(`${text}\n`);
  },
  async ask(question) {
    const reader = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await reader.question(question);
    } finally {
      reader.close();
    }
  },
};

export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Asks before anything is sent or changed. @throws CommandError unless the answer is yes or `--yes` was given */
export async function confirm(
  terminal: Terminal,
  { yes }: { yes?: boolean },
  question: string,
): Promise<void> {
  if (yes) return;
  if (!terminal.interactive)
    throw new CommandError(`${question} Not an interactive terminal. Pass --yes to confirm.`);
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was changed.');
}
