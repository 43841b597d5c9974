import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../faults/random.ts';
import { startTestPostgres } from '../services/postgres.ts';
import { startShop } from '../shop.ts';
import { crashOnce, type Pair } from './crash-run.ts';
import { crashPoints } from './points.ts';
import { stories } from './stories.ts';

// Kills web or worker with kill -9 at every crash point during every story, has another process take over, and compares
// the order with the providers' side: nothing lost, nothing doubled.

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '520' },
    /** Repeats the pairs at which a process died until this many runs had one. */
    deaths: { type: 'string', default: '0' },
    lanes: { type: 'string', default: '3' },
    seed: { type: 'string' },
    point: { type: 'string' },
    story: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const pairs = choosePairs(Number(values.runs));
console.info(`${pairs.length} runs, seed ${seed}`);

const folder = mkdtempSync(path.join(tmpdir(), 'querywright-crash-'));
const postgres = await startTestPostgres({ folder: path.join(folder, 'data') });
const tally = { runs: 0, wrong: 0 };
const deaths: Pair[] = [];
const points = new Set<string>();
try {
  await Promise.all(Array.from({ length: Number(values.lanes) }, runLane));
} finally {
  await postgres.stop('SIGQUIT');
  rmSync(folder, { recursive: true, force: true });
}
console.info(
  `${tally.runs} runs: ${deaths.length} died at ${points.size} different points, the others did not pass there; ` +
    `${tally.wrong} runs ended wrong`,
);
if (tally.wrong > 0) {
  console.error(`reproduce with --seed ${seed}, or with --point and --story`);
  process.exitCode = 1;
}

async function runLane(): Promise<void> {
  const shop = await startShop({ servers: { postgresUrl: postgres.url('postgres') } });
  try {
    for (let pair = next(); pair; pair = next()) await run(pair);
  } finally {
    await shop.close();
  }

  async function run(pair: Pair): Promise<void> {
    const { reached, violations } = await crashOnce(shop, pair);
    tally.runs++;
    if (tally.runs % 50 === 0) console.info(`${tally.runs} runs, ${tally.wrong} wrong`);
    if (reached) {
      deaths.push(pair);
      points.add(`${pair.role} ${pair.point}`);
    }
    if (violations.length === 0) return;
    tally.wrong++;
    console.error(
      `VIOLATION ${pair.role} at ${pair.point} during ${pair.story}:\n  ${violations.join('\n  ')}`,
    );
  }
}

function next(): Pair | undefined {
  if (pairs.length === 0) pairs.push(...deaths.slice(0, Math.max(0, Number(values.deaths) - deaths.length)));
  return pairs.shift();
}

/** Every pair in random order, and again from the start if more runs are wanted. */
function choosePairs(runs: number): Pair[] {
  const random = seededRandom(seed);
  const all = (['web', 'worker'] as const)
    .flatMap((role) =>
      crashPoints[role].flatMap((point) => Object.keys(stories).map((story) => ({ story, role, point }))),
    )
    .filter(({ point, story }) => (values.point ?? point) === point && (values.story ?? story) === story);
  const rounds = Array.from({ length: Math.ceil(runs / all.length) }, () =>
    all
      .map((pair) => ({ pair, place: random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ pair }) => pair),
  );
  return rounds.flat().slice(0, runs);
}
