import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const module = new URL('temp-folder.mjs', import.meta.url).href;
const program = `
  const { makeTempFolder } = await import('${module}');
  console.info(makeTempFolder());
  process.stdin.resume();
`;

test.each([
  ['ends', (child) => child.stdin.end()],
  ['is killed', (child) => child.kill('SIGKILL')],
])('the folder is removed when its process %s', async (_how, end) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  const [output] = await once(child.stdout, 'data');
  const folder = String(output).trim();
  writeFileSync(path.join(folder, 'file'), 'text');
  end(child);
  await once(child, 'exit');
  await expect.poll(() => existsSync(folder)).toBe(false);
});
