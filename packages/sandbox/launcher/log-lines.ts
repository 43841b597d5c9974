const colors: Record<string, number> = { web: 36, worker: 35, sandbox: 33, database: 90, release: 32 };

/** Prints a child's output line by line, prefixed with its name. */
export function linePrinter(name: string, out: NodeJS.WriteStream = process.stdout): (chunk: Buffer) => void {
  let rest = '';
  const label = name.padEnd(8);
  const prefix = out.isTTY ? `\u001b[${colors[name] ?? 37}m${label}\u001b[0m` : label;
  return (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim()) out.write(`${prefix} ${line}\n`);
  };
}
