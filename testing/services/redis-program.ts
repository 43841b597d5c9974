import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findOnPath, type Program, TOOLS, unpackDebianPackages } from './debian.ts';

const packages = [
  'redis-server',
  'redis-tools',
  'libjemalloc2',
  'liblzf1',
  'liblua5.1-0',
  'lua-cjson',
  'lua-bitop',
];

/** Returns the path of an installed Redis or Valkey, else of one unpacked from Debian's packages, else undefined. */
export function findRedisProgram(): Program | undefined {
  const found = findOnPath('redis-server') ?? findOnPath('valkey-server') ?? unpacked();
  if (found) return found;
  unpackDebianPackages(packages);
  return unpacked();
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
