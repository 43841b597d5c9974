import { createInterface } from 'node:readline/promises';

/** Where the operator sits; tests put in their own. */
export interface Terminal {
  /** Whether somebody is there to answer a question. */
  interactive: boolean;
  print(text: string): void;
  complain(text: string): void;
  ask(question: string): Promise<string>;
}

/** Answers go to stdout, questions and complaints to stderr: stdout can be piped. */
export const processTerminal: Terminal = {
  interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  print: (text) => {
    process.stdout.write(`${text}\n`);
  },
  complain: (text) => {
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

/** What was asked for cannot or must not be done; the message says why. Ends the command with exit code 1. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refusal';
  }
}

/**
 * Asks before anything is sent or changed.
 * @throws Refusal unless the operator says yes; at once where nobody can answer and `--yes` was not given.
 */
export async function confirm(
  terminal: Terminal,
  { yes }: { yes?: boolean },
  question: string,
): Promise<void> {
  if (yes) return;
  if (!terminal.interactive) throw new Refusal(`${question} Nobody is here to say so: add --yes to do it.`);
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('Nothing was changed.');
}
