import path from 'node:path';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../postgres/server.ts';
import { linePrinter } from './log-lines.ts';
import { freePort, LaunchError } from './settings.ts';

const NAME = 'querywright';

/**
 * The embedded PostgreSQL with its data under `dataFolder`, and our database on it. It is started again on the same
 * port should it end unasked.
 */
export async function startDatabase(dataFolder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const print = linePrinter('database');
  let server: PostgresServer | undefined;
  let stopping = false;

  const launch = async (): Promise<PostgresServer> => {
    const folder = path.join(dataFolder, 'postgres');
    return startPostgres({
      folder,
      port,
      onLog: (line) => {
        if (/FATAL|PANIC/.test(line) && !/terminating connection|shutting down|starting up/.test(line)) {
          print(Buffer.from(`${line}\n`));
        }
      },
      onExit: () => void relaunch(),
    });
  };
  const relaunch = async (): Promise<void> => {
    if (stopping) return;
    console.info('database ended; starting it again');
    server = await launch();
  };

  try {
    server = await launch();
    await createOnce(server.url('postgres'));
  } catch (error) {
    await server?.stop('SIGQUIT');
    throw new LaunchError((error as Error).message, { cause: error });
  }
  return {
    url: server.url(NAME),
    async stop() {
      stopping = true;
      await server?.stop();
    },
  };
}

async function createOnce(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [NAME]);
  if (rowCount === 0) await client.query(`create database ${NAME}`);
  await client.end();
}
