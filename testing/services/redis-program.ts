import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';

export interface Program {
  path: string;
  env: NodeJS.ProcessEnv;
}

const TOOLS = path.resolve(import.meta.dirname, '../../.data/tools');

/** An installed Redis or Valkey, else one unpacked from Debian's packages, else undefined. */
export function findRedisProgram(): Program | undefined {
  return findOnPath('redis-server') ?? findOnPath('valkey-server') ?? unpacked() ?? unpackDebianPackages();
}

function findOnPath(name: string): Program | undefined {
  const folder = (process.env.PATH ?? '')
    .split(path.delimiter)
    .find((entry) => existsSync(path.join(entry, name)));
  return folder ? { path: path.join(folder, name), env: process.env } : undefined;
}

function unpacked(): Program | undefined {
  // A link to redis-check-rdb in Debian's package, which is the same program.
  const program = path.join(TOOLS, 'usr/bin/redis-check-rdb');
  if (!existsSync(program)) return undefined;
  const libraries = path.join(TOOLS, 'usr/lib');
  const architecture = readdirSync(libraries).find((entry) => entry.endsWith('-linux-gnu')) ?? '';
  const server = path.join(TOOLS, 'usr/bin/redis-server');
  return { path: server, env: { ...process.env, LD_LIBRARY_PATH: path.join(libraries, architecture) } };
}

/** Downloads Debian's packages and unpacks them under .data/tools. Nothing is installed on the machine. */
function unpackDebianPackages(): Program | undefined {
  if (!findOnPath('apt-get') || !findOnPath('dpkg')) return undefined;
  mkdirSync(TOOLS, { recursive: true });
  const packages = [
    'redis-server',
    'redis-tools',
    'libjemalloc2',
    'liblzf1',
    'liblua5.1-0',
    'lua-cjson',
    'lua-bitop',
  ];
  try {
    if (process.getuid?.() === 0)
      execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', timeout: 120_000 });
    for (const name of packages) {
      execFileSync('apt-get', ['download', '-qq', name], { cwd: TOOLS, stdio: 'ignore', timeout: 60_000 });
    }
    for (const file of readdirSync(TOOLS).filter((entry) => entry.endsWith('.deb'))) {
      execFileSync('dpkg', ['-x', file, TOOLS], { cwd: TOOLS });
    }
  } catch {
    return unpacked();
  }
  return unpacked();
}
