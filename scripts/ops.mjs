import { existsSync } from 'node:fs';
import { findRunningDatabase } from '@querywright/sandbox/postgres/running';

// `npm run ops`: the operators' commands from the sources, where nothing else is set on the database of `npm start`.
if (existsSync('.env')) process.loadEnvFile('.env');
const { NODE_ENV, DATABASE_URL, DATA_DIR } = process.env;
if (NODE_ENV !== 'production' && !DATABASE_URL?.trim()) {
  const running = findRunningDatabase(DATA_DIR?.trim() || '.data');
  if (running) process.env.DATABASE_URL = running;
}
await import('../ops/main.ts');
