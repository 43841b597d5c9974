import type { Money } from './money.ts';
import type { OrderStatus } from './orders.ts';
import type { PaymentFacts } from './payment-facts.ts';

export interface OrderState extends Money {
  status: OrderStatus;
  facts: PaymentFacts;
}

export interface Move {
  from: OrderStatus;
  to: OrderStatus;
}
