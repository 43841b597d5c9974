import { startTestPostgres } from './services/postgres.ts';

// Prepares the data folder that the tests' PostgreSQL servers start with (TEST_CLUSTER).
const [folder = ''] = process.argv.slice(2);
const server = await startTestPostgres({ folder });
await server.stop();
