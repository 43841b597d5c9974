import path from 'node:path';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../postgres/server.ts';
import { linePrinter } from './log-lines.ts';
import { freePort } from './ports.ts';
import { LaunchError } from './settings.ts';

const NAME = 'querywright';

export interface EmbeddedDatabase {
  url: string;
  stop(): Promise<void>;
}

/**
 * The embedded PostgreSQL with its data under `dataFolder`, and our database on it. It is started again on the same
 * port should it end unasked; `onGivenUp` hears of it when that fails.
 * @throws LaunchError with PostgreSQL's own words
 */
export async function startDatabase(
  dataFolder: string,
  onGivenUp: (error: Error) => void,
): Promise<EmbeddedDatabase> {
  const port = await freePort();
  const print = linePrinter('database');
  let stopping = false;

  const launch = () =>
    startPostgres({
      folder: path.join(dataFolder, 'postgres'),
      port,
      onLog: (line) => {
        if (isTrouble(line)) print(Buffer.from(`${line}\n`));
      },
      onExit: () => {
        if (stopping) return;
        console.info('database ended; starting it again');
        running = launch();
        running.catch((error) => {
          if (!stopping) onGivenUp(error);
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

function isTrouble(line: string): boolean {
  return /FATAL|PANIC/.test(line) && !/terminating connection|shutting down|starting up/.test(line);
}

async function createOnce(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [NAME]);
  if (rowCount === 0) await client.query(`create database ${NAME}`);
  await client.end();
}
