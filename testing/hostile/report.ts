import { table } from '../../ops/table.ts';
import type { Memory } from '../fuzz/stage.ts';
import type { Answers } from './assignment.ts';
import type { Attack } from './attacks.ts';
import type { Measured } from './hire.ts';
import type { Watched } from './watch-orders.ts';

export interface Row {
  attack: Attack;
  addresses: number;
  shots: number;
  answers: Answers;
  quiet: Measured;
  attacked: Measured;
  before: Memory;
  after: Memory;
}

const MAX_GROWTH_MIB = 10;
const MAX_SLOWDOWN = 2;
/** Below this a machine of two cores measures its own scheduling. */
const LEAST_QUIET_P99_MS = 25;
const MAX_DELIVERY_MS = 1_000;
const MAX_WATCHER_KB = 40;

export function describe(rows: Row[], watched: Watched | undefined): string {
  const columns = [
    ...[
      'attack',
      'addresses',
      'tried',
      'refused',
      'answers',
      'p99 quiet',
      'p99 attacked',
      'honest',
      'failed',
    ],
    ...['live before', 'live after', 'rss after'],
  ];
  const lines = [table(columns, rows.map(cells))];
  if (watched) {
    lines.push(
      `${watched.watchers} watchers: ${watched.refused} refused, each change delivered within ${watched.slowestMs} ms, ` +
        `${perWatcherKb(watched).toFixed(1)} kB each, live ${mib(watched.before.live)}, then ${mib(watched.during.live)}; honest p99 ${ms(watched.quiet.p99Ms)} quiet, ` +
        `${ms(watched.attacked.p99Ms)} with them`,
    );
  }
  return lines.join('\n\n');
}

/** A row of the table by itself, for a run that takes long. */
export function line(row: Row): string {
  return cells(row).join(' | ');
}

function cells({ attack, addresses, shots, answers, quiet, attacked, before, after }: Row) {
  return [
    attack.name,
    addresses,
    shots,
    shots - accepted(answers),
    summary(answers),
    ...[ms(quiet.p99Ms), ms(attacked.p99Ms), attacked.requests, attacked.failures.length],
    ...[mib(before.live), mib(after.live), mib(after.rss)],
  ];
}

/** The violated limits. Times are judged only if `times` is set: other stages of a test run slow the machine down. */
export function problemsOf(
  rows: Row[],
  watched: Watched | undefined,
  { times }: { times: boolean },
): string[] {
  const attacks = rows.flatMap(({ attack, addresses, answers, quiet, attacked, before, after }) =>
    [
      ...acceptedProblems(attack, accepted(answers)),
      ...honestProblems(quiet, attacked, times),
      ...growth(before, after),
    ].map((problem) => `${attack.name} from ${addresses}: ${problem}`),
  );
  return [...attacks, ...(watched ? watchedProblems(watched, times) : [])];
}

function acceptedProblems(attack: Attack, count: number): string[] {
  const { mostAccepted = Number.POSITIVE_INFINITY, leastAccepted = Math.min(1, mostAccepted) } = attack;
  if (count > mostAccepted) return [`${count} were accepted, over ${mostAccepted}`];
  return count < leastAccepted ? [`${count} were accepted, fewer than ${leastAccepted}`] : [];
}

function honestProblems(quiet: Measured, attacked: Measured, times: boolean): string[] {
  const failures = [...quiet.failures, ...attacked.failures];
  const limit = MAX_SLOWDOWN * Math.max(quiet.p99Ms, LEAST_QUIET_P99_MS);
  return [
    ...(failures.length > 0 ? [`honest callers failed: ${failures.slice(0, 3).join(', ')}`] : []),
    ...(times && attacked.p99Ms > limit ? [`honest p99 ${ms(attacked.p99Ms)}, over ${ms(limit)}`] : []),
  ];
}

function growth(before: Memory, after: Memory): string[] {
  const grown = (after.live - before.live) / 2 ** 20;
  return grown > MAX_GROWTH_MIB ? [`memory grew by ${grown.toFixed(1)} MiB`] : [];
}

function watchedProblems(watched: Watched, times: boolean): string[] {
  const kb = perWatcherKb(watched);
  return [
    ...(watched.refused > 0 ? [`${watched.refused} were refused`] : []),
    ...(watched.missing > 0 ? [`${watched.missing} changes did not reach every watcher`] : []),
    ...(times && watched.slowestMs > MAX_DELIVERY_MS ? [`a change took ${watched.slowestMs} ms`] : []),
    ...(times && kb > MAX_WATCHER_KB ? [`${kb.toFixed(1)} kB each`] : []),
    ...honestProblems(watched.quiet, watched.attacked, times),
  ].map((problem) => `watchers: ${problem}`);
}

function perWatcherKb({ before, during, watchers }: Watched): number {
  return (during.rss - before.rss) / watchers / 1_000;
}

function accepted(answers: Answers): number {
  return Object.entries(answers).reduce((sum, [status, count]) => {
    const isAccepted = Number(status) >= 200 && Number(status) < 400;
    return isAccepted ? sum + count : sum;
  }, 0);
}

function summary(answers: Answers): string {
  return Object.entries(answers)
    .map(([status, count]) => `${count} × ${status === '0' ? 'cut' : status}`)
    .join(', ');
}

const ms = (value: number) => `${value.toFixed(0)} ms`;
const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
