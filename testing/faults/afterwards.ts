import { type Model, taken } from '../model/model.ts';
import { closeDispute, openDispute, refund } from '../model/money-back.ts';
import { refresh } from '../model/world.ts';
import type { Shop } from '../shop.ts';

const MAX_MS = 2_000;

/** Staff, banks and PayPal act on one paid order in three: refunds, disputes and what goes wrong with them. */
export async function giveBackSome(
  shop: Pick<Shop, 'sandbox'>,
  model: Model,
  random: () => number,
): Promise<void> {
  refresh(model, shop);
  const lot = random();
  const [payment] = taken(model);
  if (!payment || lot > 0.35) return;
  const ms = 1 + Math.floor(random() * MAX_MS);
  const part = random() < 0.5 ? model.price : 1_000;
  if (lot < 0.2) {
    const isPending = random() < 0.7;
    return refund(model, shop, payment, part, isPending && { outcome: Math.floor(random() * 3), ms });
  }
  await openDispute(shop, payment, random() < 0.3);
  refresh(model, shop);
  const [dispute] = model.payments.flatMap(({ disputes }) => disputes);
  if (!dispute || random() < 0.2) return;
  const turns = payment.provider === 'stripe' && random() < 0.5;
  if (turns) shop.sandbox.behaviors.add({ name: 'stripe-dispute-turn', count: 1, match: dispute.id, ms });
  await closeDispute(model, shop, dispute, random() < 0.5 ? 'won' : 'lost', random() < 0.5);
}
