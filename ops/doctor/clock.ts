import { type Database, databaseTime } from '../../db/database.ts';
import type { Config } from '../../infra/config.ts';
import { ok, problem, reasonOf, type Verdict, warning } from './check.ts';

const MAX_SKEW_MS = 2_000;
/** Signatures more than five minutes off are rejected, by the providers and by us. */
const UNUSABLE_SKEW_MS = 60_000;
const DEADLINE_MS = 5_000;

interface Clock {
  name: string;
  read: () => Promise<number>;
  resolutionMs: number;
}

/** Compares this machine's clock with the database's and with those in the providers' answers. */
export async function checkClocks(db: Database, config: Config): Promise<Verdict[]> {
  const stripe = config.stripe.api;
  const clocks: Clock[] = [
    { name: 'the database', read: () => databaseTime(db), resolutionMs: 1 },
    httpClock(
      'Stripe',
      stripe ? `${stripe.protocol}://${stripe.host}:${stripe.port}` : 'https://api.stripe.com',
    ),
    httpClock('PayPal', config.paypal.apiUrl),
  ];
  const verdicts = await Promise.all(clocks.map(judge));
  return verdicts.some(({ state }) => state !== 'ok')
    ? verdicts.filter(({ state }) => state !== 'ok')
    : [ok('this machine, the database, Stripe and PayPal agree')];
}

async function judge({ name, read, resolutionMs }: Clock): Promise<Verdict> {
  const before = Date.now();
  const there = await read().catch((error: Error) => error);
  const after = Date.now();
  if (there instanceof Error) {
    // `fetch` fails with “fetch failed” and the reason as its cause.
    const reason = reasonOf(there.cause ?? there);
    return warning(`the clock of ${name} cannot be read: ${reason}`, 'check the network');
  }
  // The clock was read at some moment in between.
  const ahead = there - after;
  const behind = before - (there + resolutionMs);
  const skewMs = Math.max(ahead, behind, 0);
  if (skewMs <= MAX_SKEW_MS) return ok('');
  const found = `this machine is ${(skewMs / 1_000).toFixed(0)} s ${ahead > 0 ? 'behind' : 'ahead of'} ${name}`;
  const action = 'synchronize the clocks (NTP)';
  return skewMs > UNUSABLE_SKEW_MS ? problem(found, action) : warning(found, action);
}

/** Any answer carries the time, a refusal or redirect as well (RFC 9110, section 6.6.1). */
function httpClock(name: string, url: string): Clock {
  return {
    name,
    resolutionMs: 1_000,
    async read() {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const answer = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
      const time = Date.parse(answer.headers.get('date') ?? '');
      if (Number.isNaN(time)) throw new Error(`${url} sends no Date header`);
      return time;
    },
  };
}
