const colours: Record<string, number> = { web: 36, worker: 35, sandbox: 33, database: 90, release: 32 };
const plain = new Set(['level', 'time', 'process', 'pid', 'msg', 'hostname']);

/** Prints a child's output line by line, prefixed with its name; pino's JSON becomes readable. */
export function linePrinter(name: string, out: NodeJS.WriteStream = process.stdout): (chunk: Buffer) => void {
  let rest = '';
  const label = name.padEnd(8);
  const prefix = out.isTTY ? `\u001b[${colours[name] ?? 37}m${label}\u001b[0m` : label;
  return (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim()) out.write(`${prefix} ${readable(line)}\n`);
  };
}

/** '05:24:08 warn enqueue failed rows=1' for a line of pino; any other line as it is. */
export function readable(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const entry: Record<string, unknown> = JSON.parse(line);
    const time = String(entry.time).slice(11, 19);
    const level = entry.level === 'info' ? '' : `${entry.level} `;
    const details = Object.entries(entry)
      .filter(([key]) => !plain.has(key))
      .map(([key, value]) => `${key}=${describe(value)}`);
    return [time, `${level}${entry.msg}`, ...details].join(' ');
  } catch {
    return line;
  }
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('message' in value) return JSON.stringify(value.message);
  return JSON.stringify(value);
}
