import { parseArgs } from 'node:util';
import { redisHint } from '../services/redis.ts';
import { runCampaign } from './campaign.ts';
import { startStage } from './stage.ts';

// Sends generated requests to the built web and worker processes: 60 % mutated, 25 % valid, 15 % raw bytes. Allows no 5xx,
// hang, restart or leak, and no row that no answer promised.

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    backend: { type: 'string', default: 'postgres' },
    seed: { type: 'string' },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

console.info(`${requests} requests on ${values.backend}, seed ${seed}`);
const stage = await startStage(values.backend);
if (stage) {
  try {
    const violations = await runCampaign(stage, requests, seed);
    for (const violation of violations.slice(0, 40)) console.error(`VIOLATION ${violation}`);
    if (violations.length > 0) {
      console.error(
        `${violations.length} violations; reproduce with --requests ${requests} --seed ${seed} --backend ${values.backend}`,
      );
      process.exitCode = 1;
    }
  } finally {
    await stage.close();
  }
} else {
  console.info(`skipped: ${redisHint}`);
  if (process.env.CI) process.exitCode = 1;
}
