import { perOwner } from './batches.ts';
import type { Database } from './database.ts';

/** Ids are reserved in blocks (“hi/lo”), since a buyer would wait for a round trip. A process that ends leaves the rest unused. */
const BLOCK = 1_000;
const LOW = 200;

/** Ids for outbox rows that are enqueued while they are written. */
export function reserveOutboxIds(db: Database, count: number): Promise<string[]> {
  return reserved(db).take(count);
}

/**
 * Gives up the ids that this process has reserved if the error says that one of them is taken: a failover, or restoring a
 * backup, may undo a reservation. False for any other error.
 */
export function giveUpTakenIds(db: Database, error: unknown): boolean {
  const isTaken = isIdTaken(error);
  if (isTaken) reserved(db).giveUp();
  return isTaken;
}

/**
 * The same for an id that the database has assigned: it may be one that a process had reserved. Skips as many as that may have.
 */
export async function skipTakenIds(db: Database, error: unknown): Promise<boolean> {
  const isTaken = isIdTaken(error);
  if (isTaken) await takeBlock(db);
  return isTaken;
}

function isIdTaken(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === 'outbox_pkey';
}

async function takeBlock(db: Database): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select nextval(pg_get_serial_sequence('outbox', 'id')) as id from generate_series(1, ?)`,
    [BLOCK],
  );
  return rows.map(({ id }) => id);
}

const reserved = perOwner((db: Database) => {
  const ids: string[] = [];
  let reserving: Promise<void> | undefined;

  async function reserve(): Promise<void> {
    ids.push(...(await takeBlock(db)));
  }

  function reserveOnce(): Promise<void> {
    reserving ??= reserve().finally(() => {
      reserving = undefined;
    });
    return reserving;
  }

  return {
    async take(count: number): Promise<string[]> {
      while (ids.length < count) await reserveOnce();
      const taken = ids.splice(0, count);
      // If it fails, the call that finds no id left reports it.
      if (ids.length < LOW) reserveOnce().catch(() => {});
      return taken;
    },
    giveUp(): void {
      ids.length = 0;
    },
  };
});
