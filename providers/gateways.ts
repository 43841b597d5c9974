import type { Config } from '../infra/config.ts';
import type { PaymentGateways } from './gateway.ts';
import { createPaypalGateway, type PaypalGateway } from './paypal/gateway.ts';
import { withReadableAnswers } from './readable-answers.ts';
import { createStripeGateway, type StripeGateway } from './stripe/gateway.ts';

/** The providers of this installation. Another one takes a folder beside these, and a line here and in core/orders.ts. */
export interface Gateways extends PaymentGateways {
  stripe: StripeGateway;
  paypal: PaypalGateway;
}

export function openGateways(config: Config): Gateways {
  return {
    stripe: withReadableAnswers('stripe', createStripeGateway(config)),
    paypal: withReadableAnswers('paypal', createPaypalGateway(config)),
  };
}
