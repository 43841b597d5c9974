import path from 'node:path';
import pg from 'pg';
import { freePort } from '../listen.ts';
import { type PostgresServer, startPostgres } from '../postgres/server.ts';
import { linePrinter } from './log-lines.ts';
import { LaunchError } from './settings.ts';

const NAME = 'querywright';

export interface EmbeddedDatabase {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL with its data under `dataFolder` and creates our database. After an unexpected exit
 * it is restarted on the same port; `onFailure` is called if that fails. `signal` aborts start-up.
 * @throws LaunchError with PostgreSQL's own message
 */
export async function startDatabase(
  dataFolder: string,
  onFailure: (error: Error) => void,
  signal: AbortSignal,
): Promise<EmbeddedDatabase> {
  const port = await freePort();
  const print = linePrinter('database');
  let stopping = false;

  const launch = () =>
    startPostgres({
      folder: path.join(dataFolder, 'postgres'),
      port,
      signal,
      onRecovery: () =>
        console.info('database was not shut down properly and recovers; this may take minutes'),
      onLog: (line) => {
        if (isError(line)) print(Buffer.from(`${line}\n`));
      },
      onExit: () => {
        if (stopping) return;
        console.info('database ended; starting it again');
        running = launch();
        running.catch((error) => {
          if (!stopping) onFailure(error);
        });
      },
    });

  let running: Promise<PostgresServer> = launch();
  try {
    const server = await running;
    await createOnce(server.url('postgres'));
    return {
      url: server.url(NAME),
      async stop() {
        stopping = true;
        await running.then(
          (current) => current.stop(),
          () => {},
        );
      },
    };
  } catch (error) {
    stopping = true;
    await running.then(
      (server) => server.stop('SIGQUIT'),
      () => {},
    );
    throw new LaunchError((error as Error).message, { cause: error });
  }
}

function isError(line: string): boolean {
  return /FATAL|PANIC/.test(line) && !/terminating connection|shutting down|starting up/.test(line);
}

async function createOnce(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [NAME]);
  if (rowCount === 0) await client.query(`create database ${NAME}`);
  await client.end();
}
