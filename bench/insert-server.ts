import { randomUUID } from 'node:crypto';
import express from 'express';
import pg from 'pg';
import Stripe from 'stripe';

// The upper limit for storing requests: Express 5 with one INSERT through a pool of 10; with STRIPE_PORT, after one call
// through the provider's SDK.
const { STRIPE_PORT: stripePort } = process.env;
const stripe =
  stripePort &&
  new Stripe('sk_test_unused', { protocol: 'http', host: '127.0.0.1', port: stripePort, telemetry: false });
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query('create table if not exists bench_inserts (id text primary key, payload json)');
const app = express();
app.disable('x-powered-by').set('etag', false);
app.post('/', express.json({ limit: '1mb' }), async (req, res) => {
  const id: string = req.body.id ?? randomUUID();
  if (stripe) {
    const { amount } = req.body;
    await stripe.paymentIntents.create({ amount, currency: 'usd' }, { idempotencyKey: id });
  }
  await pool.query('insert into bench_inserts values ($1, $2) on conflict do nothing', [id, req.body]);
  res.json({ received: true });
});
const server = app.listen(Number(process.env.PORT), () => console.info('insert ready'));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
