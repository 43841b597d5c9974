import { measureAccepting } from './accepting.ts';
import { startMeasured } from './measured.ts';
import { measurePaying } from './paying.ts';
import { report } from './report.ts';
import { measureSettling } from './settling.ts';
import { openStage, type Servers, withServers } from './stage.ts';

// Measures the pipeline's throughput and, in the same run, the limits of its parts on this machine. Started with a large young
// generation (package.json), because a garbage collection of the load generator counts as latency.

await withServers(async ({ postgres, redis }) => {
  await measure({ postgres, redis: undefined });
  if (redis) await measure({ postgres, redis });
});

async function measure(servers: Servers): Promise<void> {
  const stage = await openStage(servers.postgres, servers.redis);
  const accepting = await measureAccepting(stage);
  const web = await startMeasured('dist/api/main.js', {
    ...stage.env,
    PORT: String(stage.port),
    LOG_LEVEL: 'info',
    // paid-latency.ts names an address for each buyer.
    TRUST_PROXY: 'loopback',
  });
  const settling = await measureSettling(stage);
  const paying = await measurePaying(stage, web, servers);
  await web.stop();
  await stage.close();
  const backend = servers.redis ? 'Redis' : 'PostgreSQL';
  report(backend, accepting, settling, { ...paying, webReadyMs: web.readyAfterMs });
}
