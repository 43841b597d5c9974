import type { Database } from '../db/database.ts';
import type { Inbox } from '../db/receive-event.ts';
import type { QueueEntry } from '../db/unit-of-work.ts';

/** An inbox whose events' jobs are collected, once they are committed, and go to no queue. */
export function collectJobs(db: Database): Inbox & { jobs: QueueEntry[] } {
  const jobs: QueueEntry[] = [];
  return { db, jobs, outbox: { enqueue: (entries) => void jobs.push(...entries), afterCommit: true } };
}
