import { refundJobs } from '../../core/jobs.ts';
import { whyNotKeepable } from '../../core/kept-payment.ts';
import { findOrder } from '../../db/orders.ts';
import { runOps } from '../operator.ts';
import type { Model } from './model.ts';
import { untilAtRest } from './rest.ts';
import type { World } from './world.ts';

const REST_MS = 20_000;

/** Staff keep a payment where possible, after discarding its failed refund job. */
export async function keepPayment(model: Model, { shop, violations }: World): Promise<void> {
  const { orderId = '', payments } = model;
  const ids = payments.map(({ id }) => id);
  if ((await untilAtRest(shop, orderId, ids, REST_MS)).length > 0) return;
  const order = await findOrder(shop.db, orderId);
  const known = Object.keys(order?.facts.captures ?? {});
  const paymentId = known.find((id) => order && !whyNotKeepable(order, order.facts, id));
  if (!paymentId) return;
  const dead = shop.db('outbox').whereIn('job', refundJobs).where({ status: 'dead' });
  const jobs = await dead.whereRaw(`payload->>'paymentId' = ?`, [paymentId]).pluck('id');
  const why = ['--reason', 'The buyer wants the work', '--yes'];
  if (jobs.length > 0) await runOps(shop, ['jobs', 'discard', ...jobs, ...why]);
  const { code, err } = await runOps(shop, ['order', 'keep-payment', orderId, paymentId, ...why]).catch(
    (error: Error) => ({ code: 1, err: error.message }),
  );
  if (code === 0) model.kept = paymentId;
  else if (!model.mayFail && !model.mayMissEvents)
    violations.push(`keeping ${paymentId} ended with ${code}: ${err}`);
}
