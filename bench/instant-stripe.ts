import { createServer } from 'node:http';

// A Stripe that answers at once, so that order creation is measured without the provider.
let made = 0;
const server = createServer((req, res) => {
  req.resume();
  const id = `pi_bench${made++}`;
  const body = JSON.stringify({
    id,
    object: 'payment_intent',
    client_secret: `${id}_secret_x`,
    status: 'requires_payment_method',
    amount_received: 0,
    currency: 'usd',
  });
  res
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
});
server.keepAliveTimeout = 30_000;
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.info('stripe ready'));
process.on('SIGTERM', () => process.exit(0));
