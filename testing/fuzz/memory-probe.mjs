import { monitorEventLoopDelay } from 'node:perf_hooks';
import v8 from 'node:v8';
import vm from 'node:vm';

// Preloaded into the processes under test (NODE_OPTIONS=--import). On SIGUSR2 they collect garbage and print their
// memory.

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

process.on('SIGUSR2', async () => {
  for (let round = 0; round < 4; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const eventLoopP99Ms = delay.percentile(99) / 1e6 - 10;
  console.info(`memory-probe ${JSON.stringify({ rss, live: heapUsed + external, eventLoopP99Ms })}`);
});
