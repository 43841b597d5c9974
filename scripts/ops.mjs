import { existsSync } from 'node:fs';
import { findRunningDatabase, findRunningPorts } from '@querywright/sandbox/postgres/running';

// `npm run ops`: the operators' commands from the sources. Unless set otherwise, they use the database of `npm start`, and
// its ports for links and calls to the sandbox.
if (existsSync('.env')) process.loadEnvFile('.env');
const { NODE_ENV, DATABASE_URL, DATA_DIR } = process.env;
if (NODE_ENV !== 'production' && !DATABASE_URL?.trim()) {
  const folder = DATA_DIR?.trim() || '.data';
  const running = findRunningDatabase(folder);
  if (running) process.env = { ...findRunningPorts(folder), ...process.env, DATABASE_URL: running };
}
await import('../ops/main.ts');
