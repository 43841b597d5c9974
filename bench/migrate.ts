import { stripeClientFor } from '@querywright/sandbox/testing';
import { migrate, migrateBack } from '../db/migrate.ts';
import { placeOrder } from '../testing/buyer.ts';
import { startProcess } from '../testing/processes.ts';
import { waitFor } from '../testing/wait-for.ts';
import { asAdmin, ensureFilled, startGrowthPostgres } from './growth-fill.ts';
import { openStage } from './stage.ts';

// Migrates a large database while buyers buy. The newest migrations are those that the processes can do without: an index
// and the storage of a table. They are undone first, and applied again under load.
const ORDERS = Number(process.argv[2] ?? 1_000_000);
const FIRST_UNDONE = '0018-open-disputes';
const BUYERS = 4;
const QUIET_MS = 15_000;

const postgres = await startGrowthPostgres();
try {
  const filled = await ensureFilled(postgres, ORDERS);
  await asAdmin(postgres, async (admin) => {
    await admin.query('drop database if exists migrated');
    await admin.query(`create database migrated template ${filled}`);
  });
  await migrateUnderLoad(postgres.url('migrated'));
} finally {
  await postgres.stop();
}

async function migrateUnderLoad(databaseUrl: string): Promise<void> {
  const undone: string[] = [];
  while (!undone.includes(FIRST_UNDONE)) undone.push(...(await migrateBack(databaseUrl)));
  const stage = await openStage(postgres, undefined, databaseUrl);
  const processes = await Promise.all([
    startProcess('web', { ...stage.env, PORT: String(stage.port) }),
    startProcess('worker', stage.env),
  ]);
  try {
    console.info(`\n${ORDERS} orders, ${BUYERS} buyers; ${undone.join(', ')}`);
    const until = Date.now() + QUIET_MS;
    report('before', await buyWhile(stage, () => Date.now() < until));
    let isMigrating = true;
    const started = performance.now();
    const migrating = migrate(databaseUrl).finally(() => {
      isMigrating = false;
    });
    const bought = await buyWhile(stage, () => isMigrating);
    const applied = await migrating;
    report('while migrating', bought);
    console.info(`${applied.length} migrations in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } finally {
    for (const child of processes) await child.stop();
    await stage.close();
  }
}

interface Purchase {
  orderedMs: number;
  paidMs: number;
}

/** Buyers order and pay by card, each again as soon as the order is paid. @throws if one cannot */
async function buyWhile(
  { url, db, sandboxPort }: Awaited<ReturnType<typeof openStage>>,
  goesOn: () => boolean,
): Promise<Purchase[]> {
  const purchases: Purchase[] = [];
  const stripe = stripeClientFor(sandboxPort, 'sk_test_sandbox');
  const buyer = async () => {
    while (goesOn()) {
      const started = performance.now();
      const { orderId, paymentIntentId } = await placeOrder({ url });
      const orderedMs = performance.now() - started;
      await stripe.paymentIntents.confirm(paymentIntentId, {
        payment_method: 'pm_card_visa',
        return_url: `${url}/success`,
      });
      const isPaid = () => db('orders').where({ id: orderId, status: 'paid' }).first('id');
      await waitFor('the order is paid', isPaid, { everyMs: 10, timeoutMs: 60_000 });
      purchases.push({ orderedMs, paidMs: performance.now() - started });
    }
  };
  await Promise.all(Array.from({ length: BUYERS }, buyer));
  return purchases;
}

function report(when: string, purchases: Purchase[]): void {
  const at = (what: keyof Purchase, share: number) => {
    const times = purchases.map((purchase) => purchase[what]).sort((a, b) => a - b);
    return Math.round(times[Math.floor((times.length - 1) * share)] ?? Number.NaN);
  };
  const line = (what: keyof Purchase) => [0.5, 0.99, 1].map((share) => at(what, share)).join(' / ');
  console.info(
    `${when}: ${purchases.length} purchases; ordered after ${line('orderedMs')} ms, paid after ${line('paidMs')} ms (p50 / p99 / slowest)`,
  );
}
