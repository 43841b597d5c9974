import type Stripe from 'stripe';
import { newId, unixNow } from '../ids.ts';
import type { StripeState } from './state.ts';

/** A movement of money on the account; `amount` is negative when it leaves. */
export function addBalanceTransaction(
  state: StripeState,
  movement: {
    type: string;
    source: string;
    amount: number;
    currency: string;
    fee: number;
    description: string | null;
  },
): Stripe.BalanceTransaction {
  const { type, source, amount, currency, fee, description } = movement;
  const created = unixNow();
  const transaction: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: created + 2 * 86_400,
    balance_type: 'payments',
    created,
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details: fee
      ? [
          {
            amount: fee,
            application: null,
            currency,
            description: 'Stripe processing fees',
            type: 'stripe_fee',
          },
        ]
      : [],
    net: amount - fee,
    reporting_category: type === 'adjustment' ? 'dispute' : type,
    source,
    status: 'pending',
    type,
  };
  state.balanceTransactions.set(transaction.id, transaction);
  return transaction;
}
