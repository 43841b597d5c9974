import express from 'express';
import pg from 'pg';

// The upper limit for storing requests: Express 5 with one INSERT through a pool of 10.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query('create table if not exists bench_inserts (id text primary key, payload json)');
const app = express();
app.disable('x-powered-by').set('etag', false);
app.post('/', express.json({ limit: '1mb' }), async (req, res) => {
  await pool.query('insert into bench_inserts values ($1, $2) on conflict do nothing', [
    req.body.id,
    req.body,
  ]);
  res.json({ received: true });
});
const server = app.listen(Number(process.env.PORT), () => console.info('insert ready'));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
